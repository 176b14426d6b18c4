"""One process that works by itself: waits for a number of deals on standard input, then says how long they took."""

import sys
import time

import tlsim
from tlsim.engine.odds_work import OddsWork
from tlsim.engine.work import Block

rules = tlsim.load_rules("doithuong")
work = OddsWork(0, tuple(win.pattern for win in rules.instant_wins()), 13, 4, rules.priority())
work(Block(0, 1))
print("ready", flush=True)
for line in sys.stdin:
    begin = time.perf_counter()
    work(Block(0, int(line)))
    print(time.perf_counter() - begin, flush=True)
