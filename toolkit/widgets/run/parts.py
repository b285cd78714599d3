"""Check boxes for the parts of a report, which are put in another order by buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import anywidget
import traitlets

from toolkit.reports.choice import PART_WORDS, PARTS, chosen_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["OFFERED", "PartsChooser", "moved"]

#: The parts that can be chosen here: without an earlier run nothing has changed.
OFFERED: Final = tuple(name for name in PARTS if name != "changes")

_SCRIPT: Final = """
function render({ model, el }) {
  const group = document.createElement("div");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Parts of the report, in their order");
  const list = document.createElement("ol");
  list.className = "toolkit-parts";
  const said = document.createElement("div");
  said.className = "toolkit-parts-said";
  said.setAttribute("role", "status");
  group.append(list, said);
  el.append(group);
  // What was pressed last has the focus again when the order has changed.
  let pressed = null;

  const button = (name, words, by, isPossible) => {
    const one = document.createElement("button");
    one.type = "button";
    one.textContent = by < 0 ? "▲" : "▼";
    one.title = `Move ${by < 0 ? "up" : "down"}: ${words}`;
    one.setAttribute("aria-label", one.title);
    // Not disabled: the keyboard would lose its place at the end of the list.
    one.setAttribute("aria-disabled", String(!isPossible || model.get("disabled")));
    one.dataset.key = `${name} ${by}`;
    one.addEventListener("click", () => {
      if (one.getAttribute("aria-disabled") === "true") return;
      pressed = { key: one.dataset.key, words, name };
      model.send({ move: name, by });
    });
    return one;
  };
  const draw = () => {
    const order = model.get("order");
    const chosen = new Set(model.get("chosen"));
    const words = model.get("words");
    const rows = order.map((name, place) => {
      const row = document.createElement("li");
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = chosen.has(name);
      box.disabled = model.get("disabled");
      box.dataset.key = name;
      box.addEventListener("change", () => {
        pressed = { key: name };
        const now = new Set(model.get("chosen"));
        if (box.checked) now.add(name);
        else now.delete(name);
        model.set("chosen", model.get("order").filter((one) => now.has(one)));
        model.save_changes();
      });
      label.append(box, ` ${words[name]}`);
      row.append(
        label,
        button(name, words[name], -1, place > 0),
        button(name, words[name], 1, place + 1 < order.length),
      );
      return row;
    });
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(...rows);
    if (pressed && hadFocus) {
      [...list.querySelectorAll("[data-key]")].find((one) => one.dataset.key === pressed.key)?.focus();
      if (pressed.words) said.textContent = `${pressed.words}: ${order.indexOf(pressed.name) + 1} of ${order.length}`;
    }
    pressed = null;
  };
  const watched = "change:order change:chosen change:disabled";
  model.on(watched, draw);
  draw();
  return () => model.off(watched, draw);
}
export default { render };
"""

_STYLE: Final = """
.toolkit-parts { margin: 4px 0; padding-left: 2em; font-size: var(--jp-widgets-font-size, 13px); max-width: 420px; }
.toolkit-parts li { margin: 2px 0; }
.toolkit-parts li::marker { color: var(--jp-ui-font-color2, #616161); }
.toolkit-parts label { display: inline-block; width: calc(100% - 76px); vertical-align: middle; }
.toolkit-parts button {
  width: 32px;
  height: 26px;
  margin-left: 4px;
  border: 1px solid var(--jp-border-color1, #bdbdbd);
  background: var(--jp-layout-color2, #eee);
  color: var(--jp-ui-font-color1, #212121);
  cursor: pointer;
}
.toolkit-parts button[aria-disabled="true"] { opacity: 0.4; cursor: default; }
.toolkit-parts :focus-visible { outline: 2px solid var(--jp-brand-color1, #1976d2); outline-offset: 1px; }
.toolkit-parts-said { min-height: 1.4em; font-size: var(--jp-widgets-font-size, 13px); opacity: 0.8; }
"""


def moved(names: Sequence[str], name: str, by: int) -> list[str]:
    """Return names with one of them so many places further down, or up where that is negative, as far as there are any.

    Examples
    --------
    >>> moved(["answer", "proofs", "sites"], "sites", -1)
    ['answer', 'sites', 'proofs']
    """
    others = [one for one in names if one != name]
    place = min(max(list(names).index(name) + by, 0), len(others))
    return [*others[:place], name, *others[place:]]


class PartsChooser(anywidget.AnyWidget):
    """The parts of a report: which are chosen, and in which order. The keyboard goes with what is moved."""

    _esm: Any = _SCRIPT
    _css: Any = _STYLE

    #: All parts in their order, those of them that are chosen, and what they are in plain words.
    order = traitlets.List(traitlets.Unicode()).tag(sync=True)
    chosen = traitlets.List(traitlets.Unicode()).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    disabled = traitlets.Bool(default_value=False).tag(sync=True)

    def __init__(self) -> None:
        super().__init__(order=list(OFFERED), chosen=list(OFFERED), words={name: PART_WORDS[name] for name in OFFERED})
        self.on_msg(self._told)

    @property
    def parts(self) -> tuple[str, ...]:
        """The chosen parts in their order."""
        return tuple(name for name in self.order if name in self.chosen)

    @parts.setter
    def parts(self, names: Iterable[str]) -> None:
        chosen = [name for name in chosen_parts(names) if name in OFFERED]
        self.order = [*chosen, *(name for name in self.order if name not in chosen)]
        self.chosen = chosen

    def move(self, name: str, by: int) -> None:
        """Put a part so many places further down, or up."""
        self.order = moved(self.order, name, by)

    def _told(self, _: object, content: Mapping[str, Any], __: object) -> None:
        if content.get("move") in OFFERED and content.get("by") in {-1, 1} and not self.disabled:
            self.move(content["move"], content["by"])
