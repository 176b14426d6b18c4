"use strict";
(() => {
  const reports = JSON.parse(document.getElementById("data").textContent);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const sum = (values) => values.reduce((total, value) => total + value, 0);

  // --- what prices come to: the same as in the program, against which a test holds it ---

  /** Prices k · shape, each between two ends that are paid as much on average as wanted. */
  function level(shape, p, paid, low, high) {
    const at = (k) => shape.map((s, i) => Math.min(Math.max(k * s, low[i]), high[i]));
    const corners = [...new Set([low, high].flatMap((ends) => shape.map((s, i) => ends[i] / s)))].sort((a, b) => a - b);
    const paidAt = corners.map((k) => sum(at(k).map((price, i) => price * p[i])));
    const above = paidAt.findIndex((value) => value >= paid);
    if (above <= 0) return at(corners[above ? corners.length - 1 : 0]);
    const part = (paid - paidAt[above - 1]) / (paidAt[above] - paidAt[above - 1]);
    return at(corners[above - 1] + part * (corners[above] - corners[above - 1]));
  }

  /** What a list costs and how fair it is, at these prices and in this order of strength. */
  // A ratio that is its limit exactly is within it: fractions say so, and here it may be off by a rounding.
  function judge(list, players, prices, order) {
    const listed = list.orders[order].map((entry) => ({ ...entry, price: prices[entry.id] + entry.heo }));
    const judged = listed.filter((entry) => entry.high > 0 && entry.p >= list.judge_from);
    const cost = (entry) => ((entry.price * entry.p * (players - 1)) / players) * 1000;
    const paid = sum(judged.map((entry) => entry.price * entry.p));
    const p = judged.map((entry) => entry.p);
    const shape = p.map((value) => (list.method === "logarithmic" ? -Math.log(value) : 1 / value));
    const unit = sum(shape.map((value, i) => value * p[i]));
    const fair = list.cap !== null && list.step !== null
      ? level(shape, p, paid, judged.map((entry) => list.step + entry.heo), judged.map((entry) => list.cap + entry.heo))
      : shape.map((value) => (unit ? (paid / unit) * value : 0));
    const found = {};
    for (const entry of listed) found[entry.id] = { p: entry.p, heo: entry.heo, cost: cost(entry), fair: null, ratio: null, mark: "", wrong: false };
    judged.forEach((entry, i) => {
      const one = found[entry.id];
      one.fair = fair[i];
      one.ratio = fair[i] ? entry.price / fair[i] : null;
      const limit = list.tolerance[entry.id] ?? list.tolerance.all;
      if (!list.by_price || !paid || one.ratio === null) return;
      if (one.ratio === 0) one.mark = "free";
      else if (Math.max(one.ratio, 1 / one.ratio) > limit * (1 + 1e-12)) one.mark = one.ratio > 1 ? "dear" : "cheap";
    });
    let wrong = 0;
    judged.forEach((strong, i) => judged.slice(i + 1).forEach((weak) => {
      for (const [common, rare] of [[strong, weak], [weak, strong]]) {
        const asked = list.method !== "reordered" || common.price - common.heo > rare.price - rare.heo;
        const dearer = common.price > rare.price && asked && list.method !== "none";
        if ((common === strong || dearer) && common.low > rare.high) {
          wrong += 1;
          found[common.id].wrong = found[rare.id].wrong = true;
        }
      }
    }));
    return {
      patterns: found,
      cost_per_1000: sum(listed.map(cost)),
      misplaced: paid ? sum(judged.map((entry, i) => Math.abs(entry.price - fair[i]) * entry.p)) / (2 * paid) : null,
      wrong_pairs: wrong,
      spread: Math.sqrt(sum(listed.map((entry) => entry.p * ((players - 1) * entry.price ** 2 + entry.noise)))),
    };
  }

  /** The rule file with the prices as they are now. */
  function ruleFile(report, states) {
    const lists = report.lists.map((list) => {
      const { prices, order } = states[list.list];
      return list.orders[order].map(({ id }) => {
        const [before, after] = report.file.patterns[list.list][id];
        return `\n[[toi_trang.${list.list}]]\n${before}${prices[id]}${after}`;
      }).join("");
    });
    return report.file.head.trimEnd() + "\n" + lists.join("");
  }

  function save(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  // --- numbers in the way of a language ---

  function written(value, lang) {
    if (value === null || Number.isNaN(value)) return "";
    const size = Math.abs(value);
    if (size > 0 && size < 1e-3) return value.toExponential(1).replace(".", lang === "vi" ? "," : ".");
    return value.toLocaleString(lang, size >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
  }

  function figure(key, value, lang) {
    if (value === null) return "–";
    return key === "misplaced" ? `${(100 * value).toLocaleString(lang, { maximumFractionDigits: 1, minimumFractionDigits: 1 })}%` : written(value, lang);
  }

  function read(text, lang) {
    const number = text.match(/[-+]?(?:\d[\d.,]*(?:e[-+]?\d+)?|∞)/i);
    if (!number) return null;
    if (number[0].includes("∞")) return number[0].startsWith("-") ? -Infinity : Infinity;
    const plain = lang === "vi" ? number[0].replaceAll(".", "").replace(",", ".") : number[0].replaceAll(",", "");
    return Number.parseFloat(plain);
  }

  // --- prices that are edited ---

  const asked = reports.map((report) => Object.fromEntries(
    report.lists.map((list) => [list.list, { prices: { ...list.prices }, order: "force" }])));
  const states = structuredClone(asked);
  const first = new Map(all("[data-cell], [data-figure]").map((element) => [element, element.textContent]));

  const isEdited = (number, which) => JSON.stringify(states[number][which]) !== JSON.stringify(asked[number][which]);

  function orderText(list, state, words, lang) {
    const ids = list.orders[state.order].map((entry) => entry.id);
    const dearest = [...ids].sort((a, b) => state.prices[b] - state.prices[a]);
    if (dearest.join() === ids.join()) return [words[state.order]];
    const other = state.order === "force" ? "rarity" : "force";
    if (dearest.join() === list.orders[other].map((entry) => entry.id).join()) return [words[state.order], words[`is_${other}`]];
    const names = dearest.map((id) => list.names[id][lang]).join(" > ");
    return [words[state.order], words.needs.replace("{order}", names)];
  }

  function show(number, list) {
    const report = reports[number];
    const state = states[number][list.list];
    const edited = isEdited(number, list.list);
    const found = judge(list, report.players, state.prices, state.order);
    for (const article of all(`article[data-report="${number}"]`)) {
      const lang = article.closest("main").lang;
      const words = JSON.parse(article.closest("main").dataset.words);
      const any = report.lists.some((each) => isEdited(number, each.list));
      article.classList.toggle("edited", any);
      for (const note of all(".stale", article)) note.hidden = !any;
      const part = article.querySelector(`.list[data-list="${list.list}"]`);
      for (const place of all("[data-figure]", part)) {
        const key = place.dataset.figure;
        place.textContent = edited ? figure(key, found[key], lang) : first.get(place);
        if (edited) {
          const was = document.createElement("small");
          was.textContent = words.was.replace("{value}", first.get(place));
          place.append(was);
        }
      }
      for (const row of all("tbody tr", part.querySelector("table"))) {
        const one = found.patterns[row.dataset.id];
        row.classList.toggle("changed", state.prices[row.dataset.id] !== list.prices[row.dataset.id]);
        for (const mark of ["dear", "cheap", "free"]) row.classList.toggle(mark, one.mark === mark);
        row.classList.toggle("wrong", one.wrong);
        const input = row.querySelector("input");
        if (input !== document.activeElement) input.value = state.prices[row.dataset.id];
        input.removeAttribute("aria-invalid");
        const texts = {
          heo: one.heo ? written(one.heo, lang) : "", one_in: written(1 / one.p, lang), cost_per_1000: written(one.cost, lang), fair_price: written(one.fair, lang),
          ratio: written(one.ratio, lang), mark: [one.mark, one.wrong ? "wrong" : ""].filter(Boolean).map((key) => words[key]).join(", "),
        };
        for (const cell of all("[data-cell]", row)) cell.textContent = edited ? texts[cell.dataset.cell] : first.get(cell);
      }
      for (const radio of all("input[type=radio]", part)) radio.checked = radio.value === state.order;
      const place = part.querySelector(".order");
      place.replaceChildren(orderText(list, state, words, lang).join(" "));
      if (place.textContent.includes(words.needs.split("{order}")[1])) {
        const code = document.createElement("code");
        code.textContent = `tlsim report --rules ${report.file.name}.toml`;
        place.append(" ", code);
      }
    }
  }

  function edit(number, list, part) {
    part.querySelector(".edit").hidden = false;
    for (const row of all("tbody tr", part.querySelector("table"))) {
      const input = row.querySelector("input");
      input.addEventListener("input", () => {
        if (input.value === "" || !input.checkValidity()) {
          input.setAttribute("aria-invalid", "true");
          return;
        }
        states[number][list.list].prices[row.dataset.id] = Number(input.value);
        show(number, list);
      });
      input.addEventListener("change", () => show(number, list));
    }
    for (const radio of all("input[type=radio]", part)) radio.addEventListener("change", () => {
      states[number][list.list].order = radio.value;
      show(number, list);
    });
    part.querySelector(".reset").addEventListener("click", () => {
      states[number][list.list] = structuredClone(asked[number][list.list]);
      show(number, list);
    });
    part.querySelector(".save").addEventListener("click", () => {
      save(`${reports[number].file.name}.toml`, ruleFile(reports[number], states[number]));
    });
  }

  reports.forEach((report, number) => report.lists.forEach((list) => {
    for (const part of all(`article[data-report="${number}"] .list[data-list="${list.list}"]`)) edit(number, list, part);
    show(number, list);
  }));

  // --- languages, sorting, long tables, figures ---

  for (const button of all("button.views")) {
    button.hidden = false;
    button.addEventListener("click", () => save("report.json", document.getElementById("views").textContent));
  }

  for (const button of all("button[data-lang]")) button.addEventListener("click", () => {
    const before = document.querySelector("main:not([hidden])");
    const at = all("section", before).filter((section) => section.getBoundingClientRect().top <= 5).length - 1;
    for (const main of all("main")) main.hidden = main.lang !== button.dataset.lang;
    document.documentElement.lang = button.dataset.lang;
    const after = document.querySelector("main:not([hidden])");
    if (at >= 0) all("section", after)[at].scrollIntoView();
    else window.scrollTo(0, 0);
    after.querySelector(`button[data-lang="${button.dataset.lang}"]`).focus({ preventScroll: true });
  });

  function key(row, at, isNumber, lang) {
    const cell = row.cells[at];
    const text = (cell.querySelector("input") ?? { value: cell.textContent }).value.trim();
    if (!isNumber) return text || null;
    return cell.querySelector("input") ? Number(text) : read(text, lang);
  }

  function sortBy(table, at, lang) {
    const heads = [...table.tHead.rows[0].cells];
    const down = heads[at].getAttribute("aria-sort") === "ascending";
    const isNumber = heads[at].classList.contains("n");
    const compare = (a, b) => (isNumber ? a - b : a.localeCompare(b, lang));
    const rows = [...table.tBodies[0].rows].map((row) => ({ row, key: key(row, at, isNumber, lang) }));
    rows.sort((a, b) => (a.key === null) - (b.key === null) || (a.key === null ? 0 : down ? compare(b.key, a.key) : compare(a.key, b.key)));
    heads.forEach((head, i) => head.setAttribute("aria-sort", i === at ? (down ? "descending" : "ascending") : "none"));
    rows.forEach(({ row }, i) => {
      if (table.classList.contains("long")) row.classList.toggle("more", i >= table.dataset.first);
    });
    table.tBodies[0].append(...rows.map(({ row }) => row));
  }

  for (const table of all("main table")) {
    const { lang, dataset } = table.closest("main");
    const words = JSON.parse(dataset.words);
    [...table.tHead.rows[0].cells].forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortBy(table, at, lang));
      head.append(button);
      head.setAttribute("aria-sort", "none");
    });
    if (!table.classList.contains("long")) continue;
    const fold = document.createElement("button");
    const rows = table.tBodies[0].rows.length;
    const name = () => {
      fold.textContent = words[table.classList.contains("folded") ? "all_rows" : "fewer_rows"].replace("{n}", rows);
    };
    fold.type = "button";
    fold.className = "fold";
    fold.addEventListener("click", () => { table.classList.toggle("folded"); name(); });
    table.classList.add("folded");
    name();
    table.parentElement.after(fold);
  }

  window.tlsim = { reports, judge, ruleFile, states, read };
})();
