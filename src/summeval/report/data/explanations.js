"use strict";
// Rows lie in compressed blocks, each unpacked when one of its rows is shown. Texts are written by
// textContent alone.
(async () => {
  const byId = (id) => document.getElementById(id);
  const status = byId("status"), list = byId("list"), all = byId("all"), detail = byId("detail");
  const make = (tag, text, attributes = {}) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    for (const name in attributes) node.setAttribute(name, attributes[name]);
    return node;
  };
  if (typeof DecompressionStream !== "function") {
    status.textContent =
      "This browser cannot unpack the rows; open the page with Chrome 80, Firefox 113, Safari 16.4 or newer.";
    return;
  }
  const unpack = async (node) => {
    const letters = atob(node.textContent), bytes = new Uint8Array(letters.length);
    for (let k = 0; k < bytes.length; k++) bytes[k] = letters.charCodeAt(k); // `from` takes twenty times as long
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).json();
  };
  const index = await unpack(document.querySelector("script.index"));
  const { ids, numbers, systems, names, values, metrics } = index;
  const size = ids.length, SHARE = 1e5, LEVELS = 4, MOST_ITEMS = 200, LONG = 1500;
  const SHOWN_EVERY = 300; // milliseconds
  const KEPT = 32; // blocks, the last used at the end: all of 100,000 rows would fill the memory
  const keeper = (packed) => {
    const blocks = new Map();
    return (number) => {
      const found = blocks.get(number) ?? unpack(packed[number]);
      blocks.delete(number);
      blocks.set(number, found);
      if (blocks.size > KEPT) blocks.delete(blocks.keys().next().value);
      return found;
    };
  };
  // Texts lie apart from what metrics say of them: the list and a search read no more than these.
  const [textsOf, foundOf] = ["script.texts", "script.rows"].map((kind) => keeper([...document.querySelectorAll(kind)]));
  const rowOf = async (row, block) => (await block(Math.floor(row / index.rows)))[row % index.rows];
  const shown = (value) => (value === null ? "–" : value.toFixed(4));
  const label = (row) =>
    `row ${numbers[row]}${ids[row] ? ` (${ids[row]})` : ""}${
      names[systems[row]] ? `, ${names[systems[row]]}` : ""}`;

  // The list: only the rows in view are nodes. Beside each stands the value that sorts them.
  const HEIGHT = 4 * parseFloat(getComputedStyle(document.documentElement).fontSize);
  let order = [...Array(size).keys()], chosen = -1, metric = 0, drawn = new Map();
  const beside = () => (sort.value ? Number(sort.value.split(" ")[0]) : metric);
  const redraw = () => {
    for (const node of drawn.values()) node.remove();
    drawn = new Map();
    byId("beside").textContent = size && metrics.length > 1 ? `, each with its ${metrics[beside()].name}` : "";
    draw();
  };
  const draw = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 4);
    const last = Math.min(order.length, Math.ceil((list.scrollTop + list.clientHeight) / HEIGHT) + 4);
    const wanted = new Set(order.slice(first, last));
    for (const [row, node] of drawn) if (!wanted.has(row)) { node.remove(); drawn.delete(row); }
    for (let place = first; place < last; place++) {
      const row = order[place];
      let node = drawn.get(row);
      if (!node) {
        node = make("div", undefined, { role: "option", id: `option-${row}` });
        node.className = "row";
        const top = make("div"), words = make("div", "…");
        words.className = "words";
        words.dir = "auto";
        const number = make("span", shown(values[beside()][row]));
        number.className = "value-beside";
        top.append(make("bdi", label(row)), number);
        node.append(top, words);
        node.title = label(row);
        node.addEventListener("click", () => choose(row));
        rowOf(row, textsOf).then((found) => { words.textContent = (found.c ?? "no candidate").slice(0, 120); });
        drawn.set(row, node);
        all.append(node);
      }
      node.style.top = `${place * HEIGHT}px`;
      node.setAttribute("aria-selected", row === chosen);
      node.setAttribute("aria-posinset", place + 1);
      node.setAttribute("aria-setsize", order.length);
    }
    if (drawn.has(chosen)) list.setAttribute("aria-activedescendant", `option-${chosen}`);
    else list.removeAttribute("aria-activedescendant");
  };
  list.addEventListener("scroll", () => requestAnimationFrame(draw));
  addEventListener("resize", draw);
  const bring = (row) => {
    const place = order.indexOf(row);
    if (place < 0) return;
    const top = place * HEIGHT;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + HEIGHT > list.scrollTop + list.clientHeight)
      list.scrollTop = top + HEIGHT - list.clientHeight;
  };
  list.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(list.clientHeight / HEIGHT) - 1);
    const at = order.indexOf(chosen);
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page,
      Home: 0, End: order.length - 1 };
    if (event.key === "Enter") { detail.focus(); event.preventDefault(); }
    if (!(event.key in steps) || !order.length) return;
    event.preventDefault();
    choose(order[Math.min(Math.max(steps[event.key], 0), order.length - 1)]);
  });
  const choose = (row) => {
    chosen = row;
    bring(row);
    draw();
    const hash = `#row-${numbers[row]}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
    show();
  };

  // A row: its texts with what a metric found in them.
  const spansOf = (flat, from) => {
    const found = [];
    let at = from;
    for (let k = 0; k < flat.length; k += 3) {
      at += flat[k + 1];
      found.push([flat[k], at, at + flat[k + 2]]);
    }
    return [found, at];
  };
  const opened = (told, texts) => {
    const at = { c: 0, r: 0, s: 0 }, sides = ["c", "r", "s"];
    const items = told.i.map(([share, places, text, details]) => {
      const spans = {};
      for (const side of sides) {
        spans[side] = [];
        if (places[side]) [spans[side], at[side]] = spansOf(places[side], at[side]);
      }
      const others = spans.r.length + spans.s.length;
      const kind = spans.c.length ? (others ? "match" : "extra") : others ? "missing" : "part";
      const side = sides.find((one) => spans[one].length);
      const first = side && spans[side][0];
      const name = text ?? texts[side][first[0]].slice(first[1], first[2]);
      return { share: share === null ? NaN : share / SHARE, spans, kind, name, details: details ?? {} };
    });
    for (const side of sides) {
      const kind = side === "c" ? "extra" : "missing";
      for (const span of told[side] ? spansOf(told[side], 0)[0] : [])
        items.push({ share: 0, spans: { c: [], r: [], s: [], [side]: [span] }, kind, idle: true,
          name: texts[side][span[0]].slice(span[1], span[2]), details: {} });
    }
    return items;
  };
  // The parts of a text at which the same items stand: as marks.py of the package does it.
  const marksOf = (items, side, number) => {
    const edges = new Map();
    const at = (place) => {
      if (!edges.has(place)) edges.set(place, { on: [], off: [] });
      return edges.get(place);
    };
    for (const item of items) {
      for (const [text, begin, end] of item.spans[side]) {
        if (text !== number) continue;
        at(begin).on.push(item);
        at(end).off.push(item);
      }
    }
    const places = [...edges.keys()].sort((a, b) => a - b), found = [], here = new Map();
    places.forEach((begin, k) => {
      for (const item of edges.get(begin).off) {
        if (here.get(item) > 1) here.set(item, here.get(item) - 1);
        else here.delete(item);
      }
      for (const item of edges.get(begin).on) here.set(item, (here.get(item) ?? 0) + 1);
      if (!here.size || k + 1 === places.length) return;
      const those = [...here.keys()];
      let weight = 0;
      for (const [item, count] of here)
        weight += count * Math.abs(item.share || 0) / item.spans[side].filter((s) => s[0] === number).length;
      const kind = those.some((item) => item.kind === "match") ? "match" : those[0].kind;
      found.push({ begin, end: places[k + 1], kind, weight, those });
    });
    return found;
  };
  const signed = (share) => (share >= 0 ? "+" : "−") + Math.abs(share).toFixed(4);
  const tip = (those) => {
    const sorted = [...those].sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
    const said = sorted.slice(0, 4).map((item) =>
      `${item.name.replace(/\s+/g, " ")}: ${item.kind}${item.idle ? "" : ` ${signed(item.share)}`}`);
    return said.join("; ") + (those.length > 4 ? `; and ${those.length - 4} more` : "");
  };
  // Places count characters as Python does; those beyond U+FFFF are two units here.
  const characters = (text) => (/[\ud800-\udbff]/.test(text) ? Array.from(text) : text);
  const piece = (text, begin, end) => {
    const part = text.slice(begin, end);
    return typeof part === "string" ? part : part.join("");
  };
  const paragraph = (text, marks, most) => {
    const node = make("p", undefined, { dir: "auto" });
    node.className = "text";
    let at = 0;
    for (const mark of marks) {
      node.append(piece(text, at, mark.begin));
      const level = mark.kind === "match" ? ` l${most ? Math.max(1, Math.round(LEVELS * mark.weight / most)) : 1}` : "";
      const part = make("mark", piece(text, mark.begin, mark.end), { title: tip(mark.those) });
      part.className = mark.kind + level;
      node.append(part);
      at = mark.end;
    }
    node.append(piece(text, at, text.length));
    return node;
  };
  const table = (items, name) => {
    const sorted = items.filter((item) => !item.idle).sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
    const columns = [...new Set(sorted.flatMap((item) => Object.keys(item.details)))];
    const node = make("table", undefined, { "aria-label": `items of ${name}` });
    const head = node.createTHead().insertRow();
    for (const title of ["item", "share", ...columns]) head.append(make("th", title, { scope: "col" }));
    const body = node.createTBody();
    for (const item of sorted.slice(0, MOST_ITEMS)) {
      const line = body.insertRow(), kind = /match|part/.test(item.kind) ? "" : ` (${item.kind})`;
      line.append(make("th", item.name.replace(/\s+/g, " ") + kind, { scope: "row" }));
      line.append(make("td", Number.isNaN(item.share) ? "–" : signed(item.share)));
      for (const column of columns)
        line.append(make("td", column in item.details ? String(item.details[column] ?? "–") : ""));
    }
    const box = make("div");
    box.className = "scroll";
    box.append(node);
    if (sorted.length > MOST_ITEMS) box.append(make("p", `and ${sorted.length - MOST_ITEMS} more`));
    return [box, sorted.length];
  };
  const titled = (title, open, ...nodes) => {
    const node = make("details");
    node.open = open;
    node.append(make("summary", title), ...nodes);
    return node;
  };
  const key = () => {
    const node = make("p");
    node.className = "key";
    [["match l2", "in both"], ["missing", "missing in the candidate"], ["extra", "only in the candidate"]]
      .forEach(([kind, text], k) => {
        const mark = make("mark", text);
        mark.className = kind;
        node.append(k ? " · " : "", mark);
      });
    return node;
  };
  const told = (name, found, explanation) => {
    const texts = { c: [found.c ?? ""], r: found.r, s: found.s ?? [] };
    for (const side in texts) texts[side] = texts[side].map(characters);
    const plain = { c: [], r: [], s: [] };
    for (const side in plain) plain[side] = texts[side].map((text) => ({ slice: (a, b) => piece(text, a, b) }));
    const items = explanation ? opened(explanation, plain) : [];
    const nodes = [], parts = [];
    for (const [side, title] of [["c", "candidate"], ["r", "reference"], ["s", "source"]])
      texts[side].forEach((text, number) => parts.push([side, texts[side].length > 1 ? `${title} ${number + 1}` : title,
        text, marksOf(items, side, number)]));
    const most = Math.max(0, ...parts.flatMap((part) => part[3].map((mark) => mark.weight)));
    const marked = parts.some((part) => part[3].length), sources = [], unused = [], boxes = [];
    for (const [side, title, text, marks] of parts) {
      const body = paragraph(text, marks, most), box = make("div");
      box.append(make("h3", title), body);
      if (side === "s") sources.push(titled(title, false, body));
      else if (side === "r" && marked && !marks.length) unused.push(box);
      else boxes.push(box);
    }
    // Long texts stand side by side, or scroll one below the other, so that both are in view.
    if (texts.c[0].length > LONG && boxes.length > 1) {
      const pair = make("div");
      pair.className = "pair";
      for (const box of boxes) {
        box.tabIndex = 0;
        box.setAttribute("role", "region");
        box.setAttribute("aria-label", box.firstChild.textContent);
      }
      pair.append(...boxes);
      nodes.push(pair);
    } else nodes.push(...boxes);
    if (marked) nodes.push(key());
    if (unused.length) {
      const some = unused.length === 1 ? "1 reference, which does" : `${unused.length} references, which do`;
      nodes.push(titled(`${some} not count`, false, ...unused));
    }
    nodes.push(...sources);
    if (explanation) {
      const [box, count] = table(items, name);
      if (count) nodes.push(titled(count === 1 ? "1 item" : `${count} items`, !marked, box));
      for (const [part, value, inner] of explanation.p ?? []) {
        const box = make("div");
        box.className = "part";
        box.append(...told(part, found, inner));
        nodes.push(titled(`${part} ${shown(value)}`, false, box));
      }
    }
    return nodes;
  };
  const show = async () => {
    const row = chosen, found = { ...(await rowOf(row, textsOf)), ...(await rowOf(row, foundOf)) };
    if (row !== chosen) return; // another was chosen meanwhile
    const head = make("div");
    head.className = "metrics";
    metrics.forEach(({ name }, k) => {
      const button = make("button", `${name} ${shown(values[k][row])}`, { type: "button", "aria-pressed": k === metric });
      button.addEventListener("click", () => { metric = k; redraw(); show().then(() => detail.querySelectorAll(".metrics button")[k].focus()); });
      head.append(button);
    });
    const explanation = found.e[metric];
    const why = typeof explanation === "string" ? [make("p", explanation)] : [];
    const { name } = metrics[metric];
    const title = make("h2"), value = make("p", `${name} ${shown(values[metric][row])}`);
    title.append(make("bdi", label(row)));
    value.className = "value";
    detail.replaceChildren(title, head, value, ...why, ...told(name, found, why.length ? null : explanation));
    detail.scrollTop = 0;
  };

  // Order and choice of rows.
  const find = byId("find"), system = byId("system"), sort = byId("order");
  sort.append(new Option("as in the file", ""));
  metrics.forEach(({ name, higher }, k) => {
    sort.append(new Option(`${name}, worst first`, `${k} ${higher ? 1 : -1}`));
    sort.append(new Option(`${name}, best first`, `${k} ${higher ? -1 : 1}`));
  });
  system.append(new Option("all", ""));
  names.forEach((name, k) => { if (name) system.append(new Option(name, k)); });
  system.closest("label").hidden = names.length < 2;
  const words = []; // of the rows that a search has read so far, in lower case
  let reading = null;
  const readOn = () => reading = reading ?? (async () => {
    const first = words.length / index.rows, last = Math.min(first + KEPT, Math.ceil(size / index.rows));
    const some = [...Array(last - first).keys()].map((k) => textsOf(first + k)); // together: each waits for its stream
    for (const row of (await Promise.all(some)).flat())
      words.push(`${ids[words.length]}\n${names[systems[words.length]]}\n${row.c}\n${row.r.join("\n")}`.toLowerCase());
    reading = null;
  })();
  const place = (rows, told) => {
    order = rows;
    if (sort.value) {
      const [k, sign] = sort.value.split(" ").map(Number), column = values[k];
      order.sort((a, b) => (column[a] === null) - (column[b] === null) || sign * (column[a] - column[b]) || a - b);
    }
    all.style.height = `${order.length * HEIGHT}px`;
    status.textContent = told;
    redraw();
  };
  let turn = 0;
  const arrange = async () => {
    const mine = ++turn, wanted = find.value.trim().toLowerCase(), rows = [];
    const add = (from, to) => {
      for (let row = from; row < to; row++)
        if ((system.value === "" || systems[row] === Number(system.value)) && (!wanted || words[row].includes(wanted)))
          rows.push(row);
    };
    list.scrollTop = 0;
    // What is found is shown while the rest is read, which takes seconds the first time.
    for (let read = 0, shownAt = 0; wanted && read < size; ) {
      if (read === words.length) await readOn();
      if (mine !== turn) return;
      add(read, words.length);
      read = words.length;
      if (read < size && performance.now() - shownAt > SHOWN_EVERY) {
        place([...rows], `${rows.length.toLocaleString("en")} of the first ${read.toLocaleString("en")} rows …`);
        shownAt = performance.now();
      }
    }
    if (!wanted) add(0, size);
    place(rows, rows.length === size ? `${size.toLocaleString("en")} rows`
      : `${rows.length.toLocaleString("en")} of ${size.toLocaleString("en")} rows`);
    if (!order.length) {
      chosen = -1;
      detail.replaceChildren(make("p", wanted ? `No row has “${find.value.trim()}” in its id, its system or its texts.`
        : "No row is of this system."));
    } else if (!order.includes(chosen)) choose(order[0]);
    else { bring(chosen); draw(); }
  };
  let waiting = 0;
  find.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(arrange, 150); });
  for (const node of [system, sort]) node.addEventListener("change", arrange);
  byId("tools").addEventListener("submit", (event) => { event.preventDefault(); arrange(); });
  const jump = () => {
    const wanted = /^#row-(\d+)$/.exec(location.hash);
    const row = wanted ? numbers.indexOf(Number(wanted[1])) : -1;
    if (row >= 0 && row !== chosen) choose(row);
  };
  addEventListener("hashchange", jump);
  for (const { name, higher, signature } of metrics)
    byId("made").append(make("li", `${name}: ${signature}; ${higher ? "higher" : "lower"} is better`));
  if (!size) { detail.append(make("p", "There are no rows.")); status.textContent = "0 rows"; return; }
  jump();
  await arrange();
  document.body.dataset.ready = "yes";
})();
