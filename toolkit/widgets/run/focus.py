"""Keeps the keyboard in a panel whose focused button greys itself out: a browser would leave it nowhere."""

from __future__ import annotations

from typing import Any, Final

import anywidget

from toolkit.widgets.keyboard import BOX

__all__ = ["FocusKeeper"]

_NAME: Final = "Run panel"


class FocusKeeper(anywidget.AnyWidget):
    """Nothing to see. The box around it takes the focus of a control that is disabled, and gives it back.

    Only a browser knows where the focus is: a kernel that moved it at the end of a run would take it from whoever
    writes in another cell meanwhile.
    """

    _esm: Any = f"""
    export default {{
      render({{ el }}) {{
        el.style.display = "none";
        const ended = new AbortController();
        const keep = (box) => {{
          let last = null;
          let waiting = null;
          box.setAttribute("role", "group");
          box.setAttribute("aria-label", "{_NAME}");
          const on = (place, name, act, capture) => {{
            place.addEventListener(name, act, {{ capture, signal: ended.signal }});
          }};
          on(box, "focusin", (event) => {{
            if (event.target !== box) {{
              last = event.target;
              waiting = null;
            }}
          }});
          on(box, "focusout", (event) => {{
            // Only while it holds the focus: otherwise a click beside the controls would take it from the cell.
            if (event.target === box) {{ box.removeAttribute("tabindex"); }}
            // A control that greys itself out loses the focus to nothing; a user takes it somewhere.
            if (event.relatedTarget && !box.contains(event.relatedTarget)) {{ last = waiting = null; }}
          }});
          on(document, "pointerdown", (event) => {{
            if (!box.contains(event.target)) {{ last = waiting = null; }}
          }}, true);
          const lost = () => [null, document.body, box, waiting, last].includes(document.activeElement)
            || document.activeElement.matches(".jp-Notebook, .jp-Cell, .jp-WindowedPanel-outer");
          const seen = new MutationObserver(() => {{
            if (waiting && !waiting.disabled) {{
              const seen = (one) => one.offsetParent && !one.disabled;
              // Where it was put away meanwhile, the first one that is left.
              const next = seen(waiting) ? waiting : [...box.querySelectorAll("button")].find(seen);
              if (lost() && next) {{ next.focus({{ preventScroll: true }}); }}
              waiting = null;
            }} else if (last && last.disabled && !waiting && lost()) {{
              waiting = last;
              box.tabIndex = -1;
              box.style.outline = "none";
              box.focus({{ preventScroll: true }});
            }}
          }});
          seen.observe(box, {{ attributes: true, attributeFilter: ["disabled"], subtree: true }});
          ended.signal.addEventListener("abort", () => seen.disconnect());
        }};
        const find = (tries) => {{
          const box = el.closest(".{BOX}");
          if (box) {{
            keep(box);
          }} else if (tries) {{
            setTimeout(find, 50, tries - 1);  // not yet in the page
          }}
        }};
        find(100);
        return () => ended.abort();
      }}
    }};
    """
