"""A tree to choose from: branches fold and unfold in the page, so that no key waits for the kernel."""

from __future__ import annotations

from typing import Any, Final

import anywidget
import traitlets

__all__ = ["Tree"]

_SCRIPT: Final = """
const rowsOf = (model) => {
  const opened = new Set(model.get("opened"));
  const rows = [];
  let closed = Infinity;
  for (const entry of model.get("entries")) {
    if (entry.level > closed) continue;
    closed = entry.branch && !opened.has(entry.key) ? entry.level : Infinity;
    rows.push({ ...entry, open: opened.has(entry.key) });
  }
  return rows;
};

function render({ model, el }) {
  const name = `toolkit-tree-${Math.random().toString(36).slice(2)}`;
  const box = document.createElement("div");
  box.className = "toolkit-tree";
  box.tabIndex = 0;
  box.setAttribute("role", "tree");
  el.append(box);
  // An element stays the same as long as its entry does: a screen reader then says what has changed of it.
  let items = new Map();
  let rows = [];
  let isDue = false;

  const part = (item, kind, text) => {
    const span = document.createElement("span");
    span.className = `toolkit-tree-${kind}`;
    span.textContent = text;
    item.append(span);
    return span;
  };
  const made = (key) => {
    const item = document.createElement("div");
    item.id = `${name}-${items.size}-${Math.random().toString(36).slice(2)}`;
    item.className = "toolkit-tree-item";
    item.dataset.key = key;
    item.setAttribute("role", "treeitem");
    part(item, "mark", "").setAttribute("aria-hidden", "true");
    part(item, "label", "");
    part(item, "sites", "");
    return item;
  };
  const told = (item, row, isChosen) => {
    const [mark, label, sites] = item.children;
    mark.textContent = row.branch ? (row.open ? "▾" : "▸") : "";
    label.textContent = row.label;
    sites.textContent = ` (${row.sites})`;
    item.classList.toggle("toolkit-tree-found", row.found);
    item.style.paddingLeft = `${1.1 * (row.level - 1) + 0.2}em`;
    item.setAttribute("aria-label", `${row.label}, ${row.sites} ${row.sites === 1 ? "site" : "sites"}`);
    item.setAttribute("aria-level", row.level);
    item.setAttribute("aria-posinset", row.place);
    item.setAttribute("aria-setsize", row.of);
    item.setAttribute("aria-selected", isChosen);
    if (row.branch) item.setAttribute("aria-expanded", row.open);
    else item.removeAttribute("aria-expanded");
  };
  const draw = () => {
    isDue = false;
    rows = rowsOf(model);
    const chosen = model.get("value");
    const kept = new Map();
    for (const row of rows) {
      const item = items.get(row.key) ?? made(row.key);
      told(item, row, row.key === chosen);
      kept.set(row.key, item);
    }
    items = kept;
    box.setAttribute("aria-label", model.get("label"));
    if (rows.length) box.replaceChildren(...items.values());
    else box.textContent = model.get("empty");
    const item = items.get(chosen);
    if (!item) {
      box.removeAttribute("aria-activedescendant");
      return;
    }
    box.setAttribute("aria-activedescendant", item.id);
    // The box alone is scrolled: scrollIntoView would move the notebook too.
    const above = item.offsetTop - box.offsetTop;
    if (above < box.scrollTop) box.scrollTop = above;
    else if (above + item.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = above + item.offsetHeight - box.clientHeight;
    }
  };
  const redraw = () => {
    if (!isDue) queueMicrotask(draw);
    isDue = true;
  };

  const place = () => rows.findIndex((row) => row.key === model.get("value"));
  const choose = (at) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, at))];
    if (!row) return;
    model.set("value", row.key);
    model.save_changes();
  };
  const fold = (changed) => {
    const opened = new Set(model.get("opened"));
    for (const row of changed) {
      if (row.open) opened.delete(row.key);
      else opened.add(row.key);
    }
    const parents = [];
    // What was chosen inside a branch that is closed now would be out of sight.
    for (const entry of model.get("entries")) {
      parents.length = entry.level - 1;
      if (entry.key === model.get("value")) {
        const shut = parents.find((parent) => !opened.has(parent));
        if (shut !== undefined) model.set("value", shut);
        break;
      }
      parents.push(entry.key);
    }
    model.set("opened", [...opened]);
    model.save_changes();
  };
  const parentOf = (at) => {
    for (let above = at - 1; above >= 0; above--) if (rows[above].level < rows[at].level) return above;
    return at;
  };
  const siblings = (at) => {
    const level = rows[at].level;
    let from = at;
    let to = at;
    while (from > 0 && rows[from - 1].level >= level) from--;
    while (to + 1 < rows.length && rows[to + 1].level >= level) to++;
    return rows.slice(from, to + 1).filter((row) => row.branch && !row.open && row.level === level);
  };
  const page = () => Math.max(1, Math.floor(box.clientHeight / (box.firstChild?.offsetHeight || 20)) - 1);
  const actions = {
    ArrowDown: (at) => choose(at + 1),
    ArrowUp: (at) => choose(at - 1),
    PageDown: (at) => choose(at + page()),
    PageUp: (at) => choose(at - page()),
    Home: () => choose(0),
    End: () => choose(rows.length - 1),
    ArrowRight: (at) => (!rows[at].branch ? null : rows[at].open ? choose(at + 1) : fold([rows[at]])),
    ArrowLeft: (at) => (rows[at].branch && rows[at].open ? fold([rows[at]]) : choose(parentOf(at))),
    Enter: (at) => rows[at].branch && fold([rows[at]]),
    " ": (at) => rows[at].branch && fold([rows[at]]),
    "*": (at) => fold(siblings(at)),
  };
  let typed = "";
  let typedAt = 0;
  const typing = (letter, at) => {
    typed = Date.now() - typedAt < 700 ? typed + letter : letter;
    typedAt = Date.now();
    const after = typed.length === 1 ? at + 1 : at;
    const order = [...rows.keys()].map((step) => (after + step) % rows.length);
    const hit = order.find((step) => rows[step].label.toLowerCase().startsWith(typed.toLowerCase()));
    if (hit !== undefined) choose(hit);
  };
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !rows.length) return;
    const isLetter = event.key.length === 1 && event.key !== " " && event.key !== "*";
    const action = isLetter ? (at) => typing(event.key, at) : actions[event.key];
    if (!action || (event.shiftKey && event.key === "Enter")) return;
    event.preventDefault();
    event.stopPropagation();
    action(Math.max(0, place()));
  });
  box.addEventListener("click", (event) => {
    const item = event.target.closest(".toolkit-tree-item");
    const row = item && rows.find((one) => one.key === item.dataset.key);
    if (!row) return;
    model.set("value", row.key);
    if (row.branch && event.target.classList.contains("toolkit-tree-mark")) fold([row]);
    model.save_changes();
  });
  box.addEventListener("dblclick", (event) => {
    const item = event.target.closest(".toolkit-tree-item");
    const row = item && rows.find((one) => one.key === item.dataset.key);
    if (row?.branch && !event.target.classList.contains("toolkit-tree-mark")) fold([row]);
  });
  const watched = "change:entries change:opened change:value change:label change:empty";
  model.on(watched, redraw);
  draw();
  // Only in the page there are heights to scroll by.
  requestAnimationFrame(redraw);
  return () => model.off(watched, redraw);
}
export default { render };
"""

_STYLE: Final = """
.toolkit-tree {
  box-sizing: border-box;
  height: 232px;
  overflow: auto;
  padding: 2px 0;
  border: 1px solid var(--jp-border-color1, #bdbdbd);
  background: var(--jp-layout-color0, #fff);
  color: var(--jp-ui-font-color1, #212121);
  font-size: var(--jp-widgets-font-size, 13px);
  line-height: 1.6;
}
.toolkit-tree:focus { outline: 2px solid var(--jp-brand-color1, #1976d2); outline-offset: -1px; }
.toolkit-tree-item { cursor: default; padding-right: 4px; overflow-wrap: anywhere; }
.toolkit-tree-item[aria-selected="true"] { background: var(--jp-layout-color2, #eee); }
.toolkit-tree:focus .toolkit-tree-item[aria-selected="true"] {
  background: var(--jp-brand-color1, #1976d2);
  color: var(--jp-ui-inverse-font-color0, #fff);
}
.toolkit-tree-mark { display: inline-block; width: 1.3em; text-align: center; user-select: none; }
.toolkit-tree-found .toolkit-tree-label { font-weight: 600; }
.toolkit-tree-sites { opacity: 0.75; }
"""


class Tree(anywidget.AnyWidget):
    """A tree of which one entry is chosen; what is inside a closed branch is not shown.

    Arrows, Home, End and Page keys go through what is shown, right and left open and close a branch or go into and out
    of it, Enter and Space turn it, ``*`` opens all beside it, and letters go to the next entry that begins so. The
    mouse opens and closes a branch on its mark, or with a double click.
    """

    _esm: Any = _SCRIPT
    _css: Any = _STYLE

    #: In the order of the tree, each after its parent: ``key``, ``label`` (str), ``sites`` (int), ``level`` (int, 1 at
    #: the top), ``branch`` (bool: whether others are inside), ``found`` (bool: whether it is what was searched for),
    #: ``place`` and ``of`` (int: the how manieth of how many beside each other).
    entries: Any = traitlets.List().tag(sync=True)
    #: Keys of the branches that are open.
    opened = traitlets.List(traitlets.Unicode()).tag(sync=True)
    #: Key of the chosen entry.
    value = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    #: What a screen reader calls the tree, and what it says without entries.
    label = traitlets.Unicode().tag(sync=True)
    empty = traitlets.Unicode().tag(sync=True)
