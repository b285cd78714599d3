"""A button that puts a text on the clipboard."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

__all__ = ["CopyButton"]


class CopyButton(anywidget.AnyWidget):
    """A button that copies `text`."""

    text = traitlets.Unicode("").tag(sync=True)
    description = traitlets.Unicode("Copy").tag(sync=True)

    _esm: Any = """
    export default {
      render({ model, el }) {
        const button = document.createElement("button");
        button.className = "jupyter-button widget-button";
        button.type = "button";
        const label = () => { button.textContent = model.get("description"); };
        label();
        model.on("change:description", label);
        button.addEventListener("click", async () => {
          try {
            await navigator.clipboard.writeText(model.get("text"));
            button.textContent = "Copied";
          } catch (error) {
            button.textContent = "Select the text and copy it";
          }
          setTimeout(label, 2000);
        });
        el.appendChild(button);
      }
    };
    """
