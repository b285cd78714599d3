"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const made = (name, text, css) => {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    if (css) element.className = css;
    return element;
  };
  const button = (text, act) => {
    const element = made("button", text);
    element.type = "button";
    element.addEventListener("click", act);
    return element;
  };
  const drawn = (name, values) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
    return element;
  };
  const numbered = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const status = document.getElementById("status");
  const say = (text) => { status.textContent = text; };
  document.documentElement.classList.add("js");

  // What is chosen: a group, and a place or card. It stands behind the page's address, so that it can be sent on.
  const now = { group: -1, place: "" };
  const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };

  function read() {
    const parts = location.hash.slice(1).split("&");
    const named = parts.find((part) => part.startsWith("group="));
    const name = named && decoded(named.slice("group=".length));
    const place = decoded(parts[0].includes("=") ? "" : parts[0]);
    return { group: data.groups.findIndex((group) => group.name === name), place };
  }

  function go(change, isStep = false) {
    const next = { ...now, ...change };
    const group = data.groups[next.group];
    const parts = [encodeURIComponent(next.place), group && `group=${encodeURIComponent(group.name)}`];
    const hash = `#${parts.filter(Boolean).join("&")}`;
    try { history[isStep ? "pushState" : "replaceState"](null, "", hash); } catch { /* a page without an address */ }
    apply(next);
  }

  function apply(next) {
    const isMoved = next.place !== now.place;
    if (next.group !== now.group) { now.group = next.group; chooseGroup(); }
    now.place = next.place;
    const card = cardOf.get(now.place);
    if (card !== undefined) showCard(card);
    else if (dialog && dialog.open) dialog.close();
    if (card === undefined && isMoved && now.place) moveTo(document.getElementById(now.place));
  }

  function moveTo(element) {
    if (!element) return;
    for (let one = element.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
    const pieces = element.matches(".piece") ? [element] : all(".piece", element);
    const fold = pieces.length === 1 && pieces[0].querySelector(":scope > .fold");
    if (fold) fold.open = true;
    if (!element.hasAttribute("tabindex")) element.tabIndex = -1;
    element.focus({ preventScroll: true });
    element.scrollIntoView();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (isNarrow.matches && menu.contains(link)) menu.open = false;
    const place = decoded(link.getAttribute("href").slice(1));
    if (place === now.place) now.place = "";
    go({ place }, true);
  });

  // The menu: open beside the page, closed above it.
  const menu = document.querySelector(".menu");
  const isNarrow = matchMedia("(max-width: 999px)");
  const setMenu = () => { menu.open = !isNarrow.matches; };
  isNarrow.addEventListener("change", setMenu);
  setMenu();
  const links = new Map(all(".menu a").map((link) => [decoded(link.getAttribute("href").slice(1)), link]));
  const places = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  let isMarking = false;
  function markPlace() {
    isMarking = false;
    const isEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    // On a tall window a third of it holds several: nothing but what has come near the top is reached.
    const near = Math.min(innerHeight / 3, 240);
    const passed = scrollY < 8 ? [] : places.filter((place) => place.getBoundingClientRect().top < near);
    // Some stand beside one another, and several are in view at the end: what was asked for comes first.
    const isInView = ({ top, bottom }) => bottom > 0 && top < innerHeight / (isEnd ? 1 : 3);
    const asked = places.find((place) => place.id === now.place && isInView(place.getBoundingClientRect()));
    // Of two that stand beside one another the first.
    const top = (place) => Math.round(place.getBoundingClientRect().top / 8);
    const last = passed.find((place) => top(place) === top(passed.at(-1)));
    const reached = isEnd ? places.at(-1) : last || places[0];
    const current = asked && (isEnd || asked.getBoundingClientRect().top > -1) ? asked : reached;
    for (const [id, link] of links) {
      if (current && id === current.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }
  addEventListener("scroll", () => {
    if (!isMarking) { isMarking = true; requestAnimationFrame(markPlace); }
  }, { passive: true });

  // One tip for all charts: it shows what a row, a cell or a place on a line says.
  const tip = made("div", "", "tip");
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  let told = null;

  function tell(element, name, texts, box = element.getBoundingClientRect()) {
    hideTip();
    told = element;
    tip.replaceChildren(made("b", name), ...texts.map((text) => made("span", text)));
    tip.hidden = false;
    element.setAttribute("aria-describedby", "tip");
    const size = tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, box.left + box.width / 2 - size.width / 2), document.documentElement.clientWidth - size.width - 8);
    const top = box.top - size.height - 6 < 60 ? box.bottom + 6 : box.top - size.height - 6;
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${top + scrollY}px`;
  }

  function hideTip() {
    if (told) told.removeAttribute("aria-describedby");
    told = null;
    tip.hidden = true;
  }
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });

  // Only one of a chart's rows or cells is a stop of the Tab key; arrows lead to the others.
  function walk(stops, width, texts) {
    stops.forEach((stop, place) => {
      stop.tabIndex = place ? -1 : 0;
      const show = () => tell(stop, ...texts(stop));
      stop.addEventListener("pointerenter", show);
      stop.addEventListener("focus", show);
      stop.addEventListener("pointerleave", hideTip);
      stop.addEventListener("blur", hideTip);
      stop.addEventListener("keydown", (event) => {
        const steps = { ArrowDown: width, ArrowUp: -width, ...(width > 1 ? { ArrowRight: 1, ArrowLeft: -1 } : {}) };
        const ends = { Home: 0, End: stops.length - 1 };
        const next = stops[event.key in ends ? ends[event.key] : place + steps[event.key]];
        if (!(event.key in steps) && !(event.key in ends)) return;
        event.preventDefault();
        if (!next) return;
        stop.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      });
    });
  }

  // Charts of rows: a chosen group's own values, beside those of all sites.
  const choosers = [];
  const inColour = (element, base) => element.setAttribute("class", `${base} own ${data.groups[now.group].css || "hue"}`);
  const swatch = () => {
    const mark = drawn("use", { href: `#shape-${now.group % 6}`, x: 8, y: 8 });
    inColour(mark, "mark");
    const box = drawn("svg", { class: "swatch", width: 16, height: 16, "aria-hidden": "true", focusable: "false" });
    box.append(mark);
    return box;
  };

  function barsOf(chart, rows, own) {
    const parts = rows.map((row) => {
      const [bar, end, range] = [".fill", ".end", ".range"].map((name) => row.querySelector(name));
      const isOne = row.querySelectorAll(".fill").length === 1;
      const line = drawn("line", { class: "all", y1: 2, y2: 20, visibility: "hidden" });
      const edge = parseFloat(bar.getAttribute("x")) + parseFloat(bar.getAttribute("width"));
      bar.after(line);
      const first = { edge, css: bar.getAttribute("class"), width: bar.getAttribute("width"), end: end.getAttribute("x"), text: end.textContent };
      return { bar, end, range, line, first, isOne };
    });
    // Where the group has longer bars than there is room for, all are shortened alike.
    const room = () => Math.min(1, 100 / Math.max(...(own[now.group]?.rows || []).map(([x]) => x ?? 0)));
    return () => parts.forEach(({ bar, end, range, line, first, isOne }, place) => {
      const values = own[now.group] && isOne ? own[now.group].rows[place] : null;
      const [x, text] = values || [parseFloat(first.width), first.text];
      const zero = parseFloat(bar.getAttribute("x"));
      const scaled = (at) => `${zero + (at - zero) * room()}%`;
      bar.setAttribute("width", values ? `${Math.max((x ?? zero) - zero, 0) * room()}%` : first.width);
      end.setAttribute("x", values ? scaled(Math.max(x ?? zero, first.edge)) : first.end);
      for (const side of ["x1", "x2"]) line.setAttribute(side, scaled(first.edge));
      end.textContent = text;
      line.setAttribute("visibility", values ? "visible" : "hidden");
      if (range) range.setAttribute("visibility", values ? "hidden" : "visible");
      if (values) inColour(bar, "fill");
      else bar.setAttribute("class", first.css);
    });
  }

  function marksOf(chart, rows, own) {
    const parts = rows.map((row) => {
      const mark = drawn("use", { href: "#shape-0", y: 12, visibility: "hidden" });
      row.querySelector(".plot").append(mark);
      const ends = row.querySelector(".ends");
      return { mark, ends, first: [...ends.childNodes] };
    });
    const series = new Set(all("[data-group]", chart).map((one) => Number(one.dataset.group)));
    return () => parts.forEach(({ mark, ends, first }, place) => {
      const values = own[now.group] && !series.has(now.group) && own[now.group].rows[place];
      const isNew = values && values[0] !== null;
      mark.setAttribute("visibility", isNew ? "visible" : "hidden");
      if (isNew) {
        mark.setAttribute("x", `${values[0]}%`);
        mark.setAttribute("href", `#shape-${now.group % 6}`);
        inColour(mark, "mark");
      }
      ends.replaceChildren(...(values ? [made("span", values[1])] : first));
    });
  }

  for (const chart of all(".chart")) {
    const { kind } = chart.dataset;
    const own = data.own[chart.id] || {};
    const rows = all(".row:not(.axis)", chart);
    const group = () => data.groups[now.group];
    const unders = rows.map((row) => row.querySelector(".name small")?.textContent);
    if (kind === "heatmap") {
      const cells = all("td[class^=shade]", chart);
      const heads = all("thead th", chart);
      walk(cells, heads.length, (cell) => {
        const row = cell.parentElement;
        const place = [...row.cells].indexOf(cell);
        const texts = [`${heads[place - 1].textContent}: ${cell.querySelector(".value").textContent}`, row.dataset.tip];
        return [row.cells[0].textContent, texts.filter(Boolean)];
      });
    } else if (kind === "lines") {
      linesOf(chart);
    } else {
      const isBars = kind === "bars";
      if (Object.keys(own).length) choosers.push((isBars ? barsOf : marksOf)(chart, rows, own));
      walk(rows, 1, (row) => {
        const values = own[now.group];
        const texts = all(".told > span", row).map((one) => one.textContent);
        if (values) texts.unshift(`${group().name}: ${values.rows[rows.indexOf(row)].slice(1).filter(Boolean).join(", ")}`);
        if (unders[rows.indexOf(row)]) texts.push(unders[rows.indexOf(row)]);
        if (values && isBars) texts.splice(1, texts.length, `All sites: ${texts.slice(1).join(", ")}`);
        return [row.querySelector(".what").textContent, [...new Set(texts)]];
      });
    }
    const caption = chart.querySelector("figcaption");
    const captionText = caption && caption.textContent;
    const series = all("[data-group]", chart);
    const leads = Number(chart.querySelector(".keys li")?.dataset.group ?? -1);
    const isAmong = () => series.some((one) => Number(one.dataset.group) === now.group);
    choosers.push(() => {
      const isDim = now.group >= 0 && (isAmong() || (own[now.group] && kind === "dots"));
      for (const one of series) {
        const isOther = Number(one.dataset.group) !== now.group && !one.classList.contains("rest");
        // Words keep their contrast: what is chosen is set off by a frame or by its weight, and only marks step back.
        const isMark = one instanceof SVGElement;
        one.classList.toggle("dim", Boolean(isMark && isDim && isOther));
        one.classList.toggle("lit", !isMark && now.group >= 0 && Number(one.dataset.group) === now.group);
      }
      // Counts are of who is chosen, unless it is the group that the sentence is about.
      const isNew = Boolean(own[now.group]) && leads !== now.group;
      chart.classList.toggle("has-own", isNew);
      if (!Object.keys(own).length) return;
      // What the numbers are of, and how many sites each is, goes with whose they are.
      if (caption && isNew) {
        const { axis } = own[now.group];
        const words = `${group().name}: ${axis.charAt(0).toLowerCase()}${axis.slice(1)}`;
        caption.replaceChildren(...(kind === "bars" ? [swatch(), `${words} · grey line: all sites`] : [words]));
      } else if (caption) caption.textContent = captionText;
      rows.forEach((row, place) => {
        const text = isNew ? own[now.group].rows[place][2] : unders[place] || "";
        let under = row.querySelector(".name small");
        if (!under && text) row.querySelector(".name").append(under = made("small"));
        if (under) under.textContent = text;
      });
      for (const other of all("[data-beside]", chart)) {
        other.dataset.alone ??= other.textContent;
        other.textContent = isNew ? other.dataset.beside : other.dataset.alone;
      }
      all(".keys .new", chart).forEach((one) => one.remove());
      if (isNew && !isAmong() && kind === "dots" && chart.querySelector(".keys")) {
        const key = made("li", "", "new");
        key.append(swatch(), made("span", group().name));
        chart.querySelector(".keys").append(key);
      }
    });
  }

  function linesOf(chart) {
    const { labels, points } = data.lines[chart.id];
    const field = chart.querySelector("[data-lines]");
    const plot = chart.querySelector(".lines-plot");
    const cursor = drawn("line", { class: "cursor", y1: "0", y2: "100%", visibility: "hidden" });
    plot.append(cursor);
    let at = -1;
    const show = (place) => {
      at = Math.min(Math.max(place, 0), points.length - 1);
      const [x, name, values] = points[at];
      cursor.setAttribute("x1", `${x}%`);
      cursor.setAttribute("x2", `${x}%`);
      cursor.setAttribute("visibility", "visible");
      const box = plot.getBoundingClientRect();
      const texts = values.flatMap(([y, text], line) => (y === null ? [] : [`${labels[line]}: ${text}`]));
      const across = chart.querySelector(".across");
      tell(field, across ? `${across.textContent}: ${name}` : name, texts, new DOMRect(box.left + (box.width * x) / 100, box.top, 0, box.height / 3));
      return [name, ...texts].join(", ");
    };
    const hide = () => { cursor.setAttribute("visibility", "hidden"); hideTip(); };
    field.tabIndex = 0;
    field.addEventListener("pointermove", (event) => {
      const box = plot.getBoundingClientRect();
      const x = (100 * (event.clientX - box.left)) / box.width;
      show(points.reduce((best, point, place) => (Math.abs(point[0] - x) < Math.abs(points[best][0] - x) ? place : best), 0));
    });
    field.addEventListener("pointerleave", hide);
    field.addEventListener("blur", hide);
    field.addEventListener("focus", () => show(at < 0 ? 0 : at));
    field.addEventListener("keydown", (event) => {
      const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: points.length - 1 }[event.key];
      if (event.key === "Escape") hide();
      if (next === undefined) return;
      event.preventDefault();
      say(show(next));
    });
  }

  // Tables: sorted, filtered and copied.
  const FIRST = data.first;
  const tables = all(".table").map(tableOf);

  function tableOf(box) {
    const table = box.querySelector("table");
    const caption = box.querySelector(".caption");
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    const hasGroups = table.hasAttribute("data-groups");
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const field = made("input");
    const tools = made("div", "", "tools");
    const count = made("span", "", "count");
    const under = made("div", "", "under");
    const more = button("Show all", () => { isAll = true; show(); });
    let isAll = false;
    let shown = rows;

    field.type = "search";
    field.placeholder = "Filter rows";
    field.setAttribute("aria-label", `Filter rows: ${caption.textContent}`);
    field.addEventListener("input", () => { show(); say(count.textContent); });
    if (rows.length > 5) tools.append(field);
    tools.append(button("Copy", () => copy(asText())));
    if (rows.length > 5) tools.append(count);
    under.append(more);
    caption.after(tools);
    box.append(under);
    // Paper shows what the screen shows, and says how much that is.
    const cut = box.querySelector(".cut") || made("p", "", "cut");
    box.append(cut);

    heads.forEach((head, place) => {
      if (rows.length < 2) return;
      const text = head.textContent;
      head.replaceChildren(button(text, () => {
        const isDown = head.getAttribute("aria-sort") === "ascending";
        for (const one of heads) one.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        sort(place, isDown ? -1 : 1, head.classList.contains("number"));
        say(`Sorted by ${text}, ${isDown ? "descending" : "ascending"}`);
      }));
    });

    function sort(place, way, isNumber) {
      const key = (row) => (isNumber ? numbersOf(row.cells[place])[0] : row.cells[place].textContent);
      const keyed = [...body.rows].map((row) => [key(row), row]);
      const isMissing = (text) => text === undefined || text === "" || text === "–";
      const order = new Intl.Collator("en", { numeric: true });
      keyed.sort(([one], [other]) => {
        // What is missing stands last, either way.
        if (isMissing(one) || isMissing(other)) return isMissing(one) - isMissing(other);
        return way * (isNumber ? one - other : order.compare(one, other));
      });
      body.append(...keyed.map(([, row]) => row));
      show();
    }

    const numbersOf = (cell) => cell.dataset.v.split(" ");
    const place = new Map(rows.map((row, number) => [row, number]));
    function show() {
      const words = field.value.toLowerCase().trim();
      const isIn = (row) => texts[place.get(row)].includes(words) && (!hasGroups || now.group < 0 || Number(row.dataset.group) === now.group);
      shown = [...body.rows].filter(isIn);
      const kept = new Set(shown);
      const first = new Set(isAll ? shown : shown.slice(0, FIRST));
      for (const row of rows) {
        row.classList.toggle("out", !kept.has(row));
        row.classList.toggle("later", kept.has(row) && !first.has(row));
      }
      const isPart = first.size < shown.length;
      const of = shown.length < rows.length ? `${shown.length.toLocaleString("en")} of ${numbered(rows.length, "row")}` : numbered(rows.length, "row");
      count.textContent = isPart ? `${of}, the first ${FIRST} shown` : of;
      under.hidden = !isPart;
      cut.textContent = first.size < rows.length ? `Printed here: ${first.size.toLocaleString("en")} of ${numbered(rows.length, "row")}; the page on a screen has all of them.` : "";
      more.textContent = `Show all ${numbered(shown.length, "row")}`;
    }

    function asText() {
      // What a sheet would take for a formula gets a mark in front.
      const safe = (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replace(/[\t\r\n]+/g, " ");
      const cellsOf = (row) => [...row.cells].flatMap((cell, column) => {
        if (cell.dataset.v === undefined) return safe(cell.textContent);
        const [number, low = "", high = ""] = numbersOf(cell);
        return heads[column].hasAttribute("data-ends") ? [number, low, high] : number;
      });
      const first = heads.flatMap((head) => {
        const text = safe(head.textContent);
        return head.hasAttribute("data-ends") ? [text, `${text}, from`, `${text}, to`] : [text];
      });
      return [first, ...shown.map(cellsOf)].map((cells) => cells.join("\t")).join("\n");
    }

    show();
    return show;
  }

  async function copy(text) {
    let isDone = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = made("textarea", text, "hidden");
      document.body.append(area);
      area.select();
      isDone = document.execCommand("copy");
      area.remove();
    }
    note(isDone ? "Copied: paste it into a sheet." : "This browser does not let the page copy. Select the table and copy it.");
  }

  function note(text) {
    say(text);
    const focused = document.activeElement;
    tell(focused, text, []);
    setTimeout(() => { if (told === focused) hideTip(); }, 2500);
  }

  // The card of a site.
  const dialog = document.getElementById("card");
  const cards = all(".list .card");
  const cardOf = new Map(cards.map((card) => [card.id, card]));
  const isOut = (card) => now.group >= 0 && Number(card.dataset.group) !== now.group;
  const inGroup = () => cards.filter((card) => !isOut(card));
  const besideCard = (step) => {
    const some = isOut(cardOf.get(now.place)) ? cards : inGroup();
    return some[some.indexOf(cardOf.get(now.place)) + step];
  };

  function showCard(card) {
    const name = document.getElementById("card-name");
    const [title, ...facts] = card.children;
    name.textContent = title.textContent;
    document.getElementById("card-facts").replaceChildren(...facts.map((one) => one.cloneNode(true)));
    const some = inGroup();
    const number = some.indexOf(card);
    document.getElementById("card-place").textContent = number < 0 ? "" : `${number + 1} of ${some.length}`;
    for (const [id, step] of [["card-before", -1], ["card-after", 1]]) {
      document.getElementById(id).disabled = besideCard(step) === undefined;
    }
    hideTip();
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    name.focus();
  }

  if (dialog) {
    document.getElementById("card-before").addEventListener("click", () => go({ place: besideCard(-1).id }));
    document.getElementById("card-after").addEventListener("click", () => go({ place: besideCard(1).id }));
    document.getElementById("card-close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => { if (cardOf.has(now.place)) go({ place: "" }); });
  }

  // Groups: a row of buttons, and a list where there is little room.
  const select = made("select");
  const choice = document.querySelector(".choice");
  if (choice) {
    for (const chip of all("span.chip", choice)) {
      const one = button("", () => {});
      one.className = "chip";
      one.dataset.choose = chip.dataset.choose;
      one.append(...chip.childNodes);
      chip.replaceWith(one);
    }
    for (const one of all("button.chip", choice)) {
      one.addEventListener("click", () => go({ group: Number(one.dataset.choose) }));
    }
    select.setAttribute("aria-label", "Group");
    const names = [["All sites", -1], ...data.groups.map((group, place) => [`${group.name} (${group.sites.toLocaleString("en")})`, place])];
    for (const [name, place] of names) {
      const option = made("option", name);
      option.value = place;
      select.append(option);
    }
    select.addEventListener("change", () => go({ group: Number(select.value) }));
    choice.append(select);
  }

  if (data.groups.length) {
    for (const one of all(".of-all")) {
      const kicker = one.querySelector(".kicker") || one.insertBefore(made("p", "", "kicker"), one.firstChild);
      kicker.firstElementChild?.after(" ", made("span", "all sites", "tag whole"));
      if (!kicker.firstElementChild) kicker.append(made("span", "all sites", "tag whole"));
    }
  }

  function chooseGroup() {
    hideTip();
    for (const one of all("button.chip")) one.setAttribute("aria-pressed", String(Number(one.dataset.choose) === now.group));
    select.value = now.group;
    for (const choose of choosers) choose();
    for (const show of tables) show();
    for (const card of cards) card.classList.toggle("out", isOut(card));
    const group = data.groups[now.group];
    document.documentElement.classList.toggle("is-chosen", Boolean(group));
    say(group ? `${group.name}: charts and tables show ${numbered(group.sites, "site")} of this group; what is said of all sites is marked.` : "All sites: charts and tables show every group.");
  }

  // What is jumped to stands below what stays at the top.
  const setTop = () => {
    const tops = [isNarrow.matches && document.getElementById("bar"), choice].filter(Boolean);
    const height = Math.max(0, ...tops.map((one) => one.offsetHeight));
    document.documentElement.style.scrollPaddingTop = `${(menu.open && isNarrow.matches ? 48 : height) + 12}px`;
  };
  addEventListener("resize", setTop);
  setTop();
  addEventListener("hashchange", () => apply(read()));
  for (const show of choosers) show();
  apply(read());
  markPlace();
})();
