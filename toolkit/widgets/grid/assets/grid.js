// A view of a grid. Texts of cells, titles and filters only ever become text nodes and values of fields.
const LIBRARY = Symbol.for("audience-toolkit.tabulator");
const ROW = 28;
const LINE = 18;
const HEAD = 64;
const PATIENCE = 1500;
const MODULES = ["FormatModule", "SortModule", "FilterModule", "ResizeTableModule", "ResizeColumnsModule", "InteractionModule"];
const formats = new Map();

const made = (tag, kind, text) => {
  const one = document.createElement(tag);
  if (kind) one.className = `toolkit-grid-${kind}`;
  if (text !== undefined) one.textContent = text;
  return one;
};
const counted = (number, noun) => `${number.toLocaleString("en")} ${noun[number === 1 ? 0 : 1]}`;

// The script is in the page once, whatever the number of grids.
async function loaded(script, style) {
  const text = new TextDecoder();
  if (style && !globalThis[LIBRARY]) {
    const sheet = document.createElement("style");
    sheet.textContent = text.decode(style);
    document.head.prepend(sheet);
    const place = URL.createObjectURL(new Blob([text.decode(script)], { type: "text/javascript" }));
    globalThis[LIBRARY] = import(place).then((library) => {
      library.Tabulator.registerModule(MODULES.map((name) => library[name]));
      return library.Tabulator;
    });
  }
  return globalThis[LIBRARY];
}

function numbered(number, digits) {
  if (!formats.has(digits)) {
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: "min2" };
    formats.set(digits, new Intl.NumberFormat("en", options));
  }
  return formats.get(digits).format(number);
}

function said(value, column) {
  if (value === null || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.join(", ") || "–";
  if (typeof value !== "number") return value;
  if (column.kind === "share") return `${numbered(100 * value, column.digits)} %`;
  const digits = column.kind === "number" ? column.digits : Number.isInteger(value) ? 0 : 2;
  return `${numbered(value, digits)} ${column.unit}`.trimEnd();
}

const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
// Whoever looks for "46%" finds "46 %".
const wordsOf = (text) => text.replaceAll("%", " %").split(/\s+/).filter(Boolean);
const isNumeric = (column) => column.kind === "number" || column.kind === "share";

// "> 2", "2..5" and "= 3" are of the numbers as they are shown; all else is looked for in the text.
function fits(typed, column) {
  const text = folded(typed.trim());
  if (!text) return null;
  if (isNumeric(column)) {
    const bare = text.replace(/(\d),(?=\d{3})/g, "$1").replaceAll("%", "").trim();
    const scale = column.kind === "share" ? 100 : 1;
    const is = (test) => (value) => typeof value === "number" && test(Number((value * scale).toFixed(9)));
    const range = bare.match(/^(-?[\d.]+?)\s*\.\.\s*(-?[\d.]+)$/);
    if (range) return is((number) => number >= Number(range[1]) && number <= Number(range[2]));
    const sign = bare.match(/^(>=|<=|>|<|=)\s*(-?\d*\.?\d*)$/);
    if (sign) {
      if (!/\d/.test(sign[2])) return null; // not yet typed to its end
      const end = Number(sign[2]);
      const shown = (number) => Number(number.toFixed(column.digits));
      const tests = {
        ">": (number) => number > end, "<": (number) => number < end, "=": (number) => shown(number) === end,
        ">=": (number) => number >= end, "<=": (number) => number <= end,
      };
      return is(tests[sign[1]]);
    }
  }
  const words = wordsOf(text);
  return (value) => {
    const shown = folded(said(value, column));
    return words.every((word) => shown.includes(word));
  };
}

// Numbers in texts count as numbers; a collator does it too, but takes ten times as long.
function ranked(texts) {
  const keys = new Map(texts.map((text) => [text, folded(text).replace(/\d+/g, (digits) => digits.padStart(12, "0"))]));
  const before = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const all = [...keys].sort(([a, keyA], [b, keyB]) => before(keyA, keyB) || before(a, b));
  return new Map(all.map(([text], rank) => [text, rank]));
}

// What is missing stands last, whichever way the others stand.
function comparing(column, rows, field) {
  let ranks = null;
  return (a, b, rowA, rowB, one, dir) => {
    const noA = a === null || a === "";
    const noB = b === null || b === "";
    if (noA || noB) return noA === noB ? 0 : noA === (dir === "asc") ? 1 : -1;
    if (typeof a === "number" && typeof b === "number") return a - b;
    ranks ??= ranked(rows.map((row) => said(row[field], column)));
    if (typeof a === "number" || typeof b === "number") return typeof a === "number" ? -1 : 1;
    return ranks.get(said(a, column)) - ranks.get(said(b, column));
  };
}

// A sheet takes no text for a formula: the same signs as in files that the toolkit writes.
const safe = (text) => (/^[=+\-@\t\r|%]/.test(text) ? `'${text}` : text);
function plain(value) {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return safe(Array.isArray(value) ? value.join("; ") : value);
}

function widthOf(column, rows, field) {
  if (column.width) return column.width;
  const most = rows.slice(0, 100).reduce((longest, row) => Math.max(longest, said(row[field], column).length), 0);
  return Math.max(Math.min(Math.max(7.2 * most + 20, 80), 300), Math.min(8 * column.title.length + 36, 280));
}

function render({ model, el }) {
  const { name, label, noun, opens, height } = model.get("_settings");
  const id = `toolkit-grid-${Math.random().toString(36).slice(2)}`;
  const box = made("section", "box");
  box.setAttribute("aria-label", label);
  const bar = made("div", "bar");
  const search = made("input", "search");
  search.type = "search";
  search.placeholder = "Search";
  search.setAttribute("aria-label", `Search in ${label}`);
  const count = made("span", "count");
  count.setAttribute("role", "status");
  const button = (text) => {
    const one = made("button", "button", text);
    one.type = "button";
    bar.append(one);
    return one;
  };
  bar.append(search, count);
  const clear = button("Clear filters");
  const choose = button("Columns");
  const copy = button("Copy");
  const save = button("Save CSV");
  choose.setAttribute("aria-expanded", "false");
  choose.setAttribute("aria-controls", `${id}-columns`);
  const chooser = made("div", "columns");
  chooser.id = `${id}-columns`;
  chooser.hidden = true;
  chooser.setAttribute("role", "group");
  chooser.setAttribute("aria-label", "Columns that are shown");
  const place = made("div", "place");
  const foot = made("div", "foot");
  box.append(bar, chooser, place, foot);
  el.append(box);

  let version = 0;
  let columns = [];
  let rows = [];
  let table = null;
  let holder = null;
  let isBuilt = false;
  let order = [];
  let active = null;
  let texts = null;
  let fields = [];
  let applied = "";
  let due = 0;
  let pending = null;
  let isGone = false;
  let tall = ROW;

  const stateNow = () => ({ search: "", filters: {}, sort: null, hidden: null, ...model.get("_state") });
  const change = (part) => {
    model.set("_state", { ...stateNow(), ...part });
    model.save_changes();
  };
  const isHidden = (column, state = stateNow()) => state.hidden ? state.hidden.includes(column.name) : column.hidden;
  const fieldOf = (number) => `c${number}`;

  // ---- what is left, and in which order
  function tell() {
    if (!isBuilt) return;
    order = table.getRows("active").map((row) => row.getData()._);
    const all = counted(rows.length, noun);
    count.textContent = order.length < rows.length ? `${order.length.toLocaleString("en")} of ${all}` : all;
    const state = stateNow();
    clear.hidden = !state.search && !Object.values(state.filters).some(Boolean);
    holder.setAttribute("aria-rowcount", order.length + 1);
    if (!order.includes(active)) mark(null);
    model.send({ type: "shown", version }, undefined, [Uint32Array.from(order).buffer]);
  }

  function filter(state) {
    const tests = columns.flatMap((column, number) => {
      const test = isHidden(column, state) ? null : fits(state.filters[column.name] ?? "", column);
      return test ? [[fieldOf(number), test]] : [];
    });
    const words = wordsOf(folded(state.search));
    if (words.length && !texts) {
      const seen = columns.map((column, number) => [column, fieldOf(number)]).filter(([column]) => !isHidden(column, state));
      texts = rows.map((row) => folded(seen.map(([column, field]) => said(row[field], column)).join("\n")));
    }
    const fit = (row) => words.every((word) => texts[row._].includes(word)) && tests.every(([field, test]) => test(row[field]));
    if (words.length || tests.length) table.setFilter(fit);
    else table.clearFilter();
  }

  function sortersOf(state) {
    const number = state.sort ? columns.findIndex((column) => column.name === state.sort.column) : -1;
    return number < 0 ? [] : [{ column: fieldOf(number), dir: state.sort.dir }];
  }

  // Brings the view to what the state says, which another view may have changed.
  function apply() {
    const state = stateNow();
    const now = JSON.stringify(state);
    if (!isBuilt || now === applied) return;
    const before = applied ? { search: "", filters: {}, sort: null, hidden: null, ...JSON.parse(applied) } : null;
    applied = now;
    if (document.activeElement !== search) search.value = state.search;
    for (const field of fields) {
      if (document.activeElement !== field) field.value = state.filters[field.dataset.column] ?? "";
      field.classList.toggle("toolkit-grid-set", Boolean(state.filters[field.dataset.column]));
    }
    if (JSON.stringify(before?.hidden ?? null) !== JSON.stringify(state.hidden)) {
      texts = null;
      columns.forEach((column, number) => {
        const one = table.getColumn(fieldOf(number));
        if (one && one.isVisible() === isHidden(column, state)) one.toggle();
      });
      table.redraw(true);
      listColumns();
    }
    if (JSON.stringify(before?.sort ?? null) !== JSON.stringify(state.sort)) {
      const sorters = sortersOf(state);
      const has = table.getSorters().map((one) => ({ column: one.field, dir: one.dir }));
      if (JSON.stringify(sorters) !== JSON.stringify(has)) {
        if (sorters.length) table.setSort(sorters);
        else table.clearSort();
      }
    }
    filter(state);
    tell();
  }

  // ---- the table
  function headOf(column) {
    const head = made("div", "head");
    const title = made("button", "title", column.title);
    title.type = "button";
    title.title = column.help || column.title;
    const field = made("input", "filter");
    field.dataset.column = column.name;
    field.placeholder = isNumeric(column) ? "> 2 or 2..5" : "filter";
    field.value = stateNow().filters[column.name] ?? "";
    field.setAttribute("aria-label", `Filter ${column.title}`);
    for (const kind of ["click", "mousedown"]) field.addEventListener(kind, (event) => event.stopPropagation());
    field.addEventListener("input", () => {
      clearTimeout(due);
      due = setTimeout(() => change({ filters: { ...stateNow().filters, [column.name]: field.value } }), 120);
    });
    fields.push(field);
    head.append(title, field);
    return head;
  }

  function cellOf(column) {
    return (cell) => {
      const text = said(cell.getValue(), column);
      if (text.length > 20) cell.getElement().title = text;
      if (column.lines === 1) return document.createTextNode(text);
      cell.getElement().classList.add("lines");
      const lines = made("div", "lines", text);
      lines.style.setProperty("-webkit-line-clamp", column.lines);
      return lines;
    };
  }

  function build(Tabulator) {
    // A tab that is not in front has no width: its table is built when it is seen.
    if (isGone || !box.offsetWidth || !pending) return;
    pending = null;
    table?.destroy();
    isBuilt = false;
    fields = [];
    texts = null;
    applied = "";
    mark(null);
    const inner = made("div", "table");
    place.replaceChildren(inner);
    const state = stateNow();
    // Rows of several lines are as high as their texts; most have two lines.
    const isEven = columns.every((column) => column.lines === 1);
    tall = isEven ? ROW : ROW + LINE;
    const defined = columns.map((column, number) => ({
      field: fieldOf(number), title: column.name, visible: !isHidden(column, state), minWidth: widthOf(column, rows, fieldOf(number)),
      widthGrow: isNumeric(column) || column.kind === "flag" ? 1 : 3, hozAlign: isNumeric(column) ? "right" : "left",
      headerHozAlign: isNumeric(column) ? "right" : "left", sorter: comparing(column, rows, fieldOf(number)), formatter: cellOf(column),
      titleFormatter: () => headOf(column), variableHeight: column.lines > 1, headerSortTristate: true, headerSortStartingDir: isNumeric(column) ? "desc" : "asc",
    }));
    const now = new Tabulator(inner, {
      data: rows, columns: defined, index: "_", layout: "fitColumns", ...(isEven ? { rowHeight: tall } : {}), nestedFieldSeparator: false,
      height: Math.min(height, HEAD + 20 + tall * Math.max(rows.length, 2)), initialSort: sortersOf(state),
      placeholder: () => made("div", "none", rows.length ? "Nothing fits these filters." : "There is nothing here yet."),
      rowFormatter: (row) => { row.getElement().id = `${id}-${row.getData()._}`; },
    });
    table = now;
    now.on("tableBuilt", () => {
      if (table !== now) return;
      isBuilt = true;
      // What scrolls has the focus; the headings stand outside of it, and belong to it.
      now.element.setAttribute("role", "presentation");
      now.element.removeAttribute("aria-owns");
      now.element.classList.toggle("toolkit-grid-opens", opens);
      now.element.addEventListener("keydown", pressed);
      const head = now.element.querySelector(".tabulator-header");
      head.id = `${id}-head`;
      holder = now.element.querySelector(".tabulator-tableholder");
      holder.tabIndex = 0;
      holder.setAttribute("role", "grid");
      holder.setAttribute("aria-owns", head.id);
      holder.setAttribute("aria-label", label);
      holder.setAttribute("aria-colcount", columns.length);
      holder.addEventListener("focus", () => { if (active === null && order.length) mark(order[0]); });
      listColumns();
      apply();
      now.on("dataSorted", sorted);
      now.on("renderComplete", point);
      // Rows come and go only after this event.
      now.on("scrollVertical", () => requestAnimationFrame(() => { if (table === now) point(); }));
      now.on("rowClick", (event, row) => {
        mark(row.getData()._);
        if (!String(document.getSelection())) open();
      });
      box.dataset.version = version;
    });
  }

  function sorted() {
    const [one] = table.getSorters();
    const sort = one ? { column: columns[Number(one.field.slice(1))].name, dir: one.dir } : null;
    if (JSON.stringify(sort) !== JSON.stringify(stateNow().sort)) change({ sort });
    // Tabulator takes the rows over only after this event.
    queueMicrotask(tell);
  }

  // ---- rows by keyboard: the grid keeps the focus, as rows that are out of sight are not in the page
  function mark(position) {
    if (active !== null) table?.getRow(active)?.getElement().removeAttribute("aria-selected");
    active = position;
    if (!isBuilt) return;
    if (position !== null) {
      const row = table.getRow(position).getElement();
      row.setAttribute("aria-selected", "true");
      row.setAttribute("aria-rowindex", order.indexOf(position) + 2);
    }
    point();
  }

  // Point at the active row for as long as it is in the page.
  function point() {
    const row = active === null ? null : table.getRow(active);
    if (row && row.getElement().isConnected) holder.setAttribute("aria-activedescendant", `${id}-${active}`);
    else holder.removeAttribute("aria-activedescendant");
  }

  function open() {
    if (opens && active !== null) model.send({ type: "open", position: active, version });
  }

  function pressed(event) {
    const isField = event.target.matches("input");
    if (event.target.matches("button") || (isField && event.key !== "ArrowDown")) return;
    const page = Math.max(1, Math.floor(holder.clientHeight / tall) - 1);
    const at = order.indexOf(active);
    const steps = {
      ArrowDown: isField ? 0 : at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: order.length - 1,
    };
    if (event.key === "Enter") open();
    else if (event.key === "ArrowRight") holder.scrollLeft += 80;
    else if (event.key === "ArrowLeft") holder.scrollLeft -= 80;
    else if (event.key in steps) {
      if (order.length) {
        const next = order[Math.min(Math.max(steps[event.key], 0), order.length - 1)];
        table.scrollToRow(next, "nearest", false).catch(() => {});
        mark(next);
        holder.focus();
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- the bar
  function listColumns() {
    const state = stateNow();
    chooser.replaceChildren(...columns.map((column) => {
      const line = made("label", "choice");
      const tick = made("input");
      tick.type = "checkbox";
      tick.checked = !isHidden(column, state);
      tick.addEventListener("change", () => {
        const hidden = columns.filter((one) => isHidden(one)).map((one) => one.name);
        const others = hidden.filter((one) => one !== column.name);
        if (!tick.checked && others.length + 1 === columns.length) tick.checked = true; // one column stays
        else change({ hidden: tick.checked ? others : [...others, column.name] });
      });
      line.append(tick, column.title);
      return line;
    }));
  }

  function asRows(between) {
    const seen = columns.map((column, number) => [column, fieldOf(number)]).filter(([column]) => !isHidden(column));
    const cell = (text) => (between === "," && /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = [seen.map(([column]) => safe(column.title)), ...order.map((at) => seen.map(([, field]) => plain(rows[at][field])))];
    return lines.map((cells) => cells.map(cell).join(between)).join("\n");
  }

  async function toClipboard(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = made("textarea");
      area.value = text;
      box.append(area);
      area.select();
      const isDone = document.execCommand("copy");
      area.remove();
      copy.focus();
      return isDone;
    }
  }

  search.addEventListener("input", () => {
    clearTimeout(due);
    due = setTimeout(() => change({ search: search.value }), 120);
  });
  clear.addEventListener("click", () => {
    search.focus();
    search.value = "";
    change({ search: "", filters: {} });
  });
  choose.addEventListener("click", () => {
    chooser.hidden = !chooser.hidden;
    choose.setAttribute("aria-expanded", String(!chooser.hidden));
  });
  copy.addEventListener("click", async () => {
    const isDone = await toClipboard(asRows("\t"));
    foot.textContent = isDone ? `Copied: ${counted(order.length, noun)}, with headings.` : "The browser does not let a page copy here: save a CSV instead.";
  });
  save.addEventListener("click", () => {
    const link = made("a");
    link.href = URL.createObjectURL(new Blob([asRows(","), "\n"], { type: "text/csv;charset=utf-8" }));
    link.download = `${name}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    foot.textContent = `Saved: ${counted(order.length, noun)} as ${name}.csv.`;
  });
  // JupyterLab takes arrows and letters for shortcuts, unless the focused element itself says that it needs them.
  box.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));

  // ---- rows come from the kernel, when they are asked for
  function kept(why) {
    const { columns: heads, rows: first, count: all } = model.get("_kept");
    const shown = heads.map((column, number) => [column, number]).filter(([column]) => !isHidden(column));
    const static_ = made("table", "kept");
    const line = (tag, cells) => {
      const row = made("tr");
      row.append(...cells.map((text) => made(tag, "", text)));
      return row;
    };
    static_.append(line("th", shown.map(([column]) => column.title)));
    (first[0] ?? []).forEach((_, at) => static_.append(line("td", shown.map(([column, number]) => said(first[number][at], column)))));
    place.replaceChildren(static_);
    box.classList.add("toolkit-grid-still"); // nothing can be done with rows that are not here
    count.textContent = `${counted(Math.min(all, (first[0] ?? []).length), noun)} of ${all.toLocaleString("en")}`;
    foot.textContent = why;
  }

  let patience = 0;
  function ask() {
    clearTimeout(patience);
    const why = "These rows are kept with the notebook. Run the cell to see, sort and search all of them.";
    patience = setTimeout(() => kept(why), PATIENCE);
    try {
      model.send({ type: "ready", library: !globalThis[LIBRARY] });
    } catch {
      kept(why);
    }
  }

  async function take(content, buffers) {
    if (content.type !== "rows" || content.version === version || content.version !== model.get("_version")) return;
    clearTimeout(patience);
    version = content.version;
    columns = model.get("_kept").columns;
    foot.textContent = "";
    box.classList.remove("toolkit-grid-still");
    const cells = JSON.parse(new TextDecoder().decode(buffers[0]));
    const length = model.get("_kept").count;
    rows = Array.from({ length }, (_, at) => {
      const row = { _: at };
      for (let number = 0; number < cells.length; number += 1) row[fieldOf(number)] = cells[number][at];
      return row;
    });
    pending = true;
    build(await loaded(buffers[1], buffers[2]));
  }

  const seen = new ResizeObserver(async () => { if (pending && globalThis[LIBRARY]) build(await globalThis[LIBRARY]); });
  seen.observe(box);
  clear.hidden = true;
  model.on("msg:custom", take);
  model.on("change:_version", ask);
  model.on("change:_state", apply);
  ask();
  return () => {
    isGone = true;
    clearTimeout(patience);
    clearTimeout(due);
    seen.disconnect();
    model.off("msg:custom", take);
    model.off("change:_version", ask);
    model.off("change:_state", apply);
    table?.destroy();
  };
}

export default { render };
