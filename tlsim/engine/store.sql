-- The tables of a store: runs, and the parts of each that are done.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, identity TEXT NOT NULL, recipe TEXT NOT NULL,
    unit INTEGER NOT NULL, wanted INTEGER NOT NULL, stopped TEXT NOT NULL, reached INTEGER NOT NULL);
CREATE TABLE parts (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, first INTEGER NOT NULL, "end" INTEGER NOT NULL,
    deals INTEGER NOT NULL, tally BLOB NOT NULL, PRIMARY KEY (run, first));
