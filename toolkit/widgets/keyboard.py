"""Keys that belong to a widget: JupyterLab's own shortcuts would take them."""

from __future__ import annotations

from typing import Any, Final

import anywidget

__all__ = ["BOX", "SAID", "STATIC", "Keyboard"]

#: Class of the box in which the keys are the controls'.
BOX: Final = "toolkit-keys"
#: Class of a line that says what came of a key or click.
SAID: Final = "toolkit-said"
#: Class of what is seen of a widget without its kernel.
STATIC: Final = "toolkit-static"


class Keyboard(anywidget.AnyWidget):
    """Nothing to see. The box around it keeps its keys.

    In a focused list or checkbox JupyterLab takes arrows and letters for its own: it would go to the next cell instead
    of the next entry.
    """

    # A widget that lives says itself what its static view says.
    _css: Any = f"""
    .jp-OutputArea-child:has(.{BOX}) ~ .jp-OutputArea-child:has(.{STATIC}) {{ display: none; }}
    """
    _esm: Any = f"""
    export default {{
      render({{ el }}) {{
        el.style.display = "none";
        // A shortcut that fits the focused element itself is only stopped by a mark on that element.
        const mine = (event) => {{
          event.target.setAttribute("data-lm-suppress-shortcuts", "true");
          // Whoever works in the box without seeing it hears what came of that.
          const said = event.currentTarget.querySelectorAll(".{SAID}");
          said.forEach((line) => line.setAttribute("aria-live", "polite"));
        }};
        const listen = (tries) => {{
          const box = el.closest(".{BOX}");
          if (box) {{
            box.addEventListener("focusin", mine);
          }} else if (tries) {{
            setTimeout(listen, 50, tries - 1);  // not yet in the page
          }}
        }};
        listen(100);
      }}
    }};
    """
