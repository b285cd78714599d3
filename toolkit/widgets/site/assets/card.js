// The face of a site's card. What it says only ever becomes text nodes.
const made = (tag, kind, text) => {
  const one = document.createElement(tag);
  if (kind) one.className = `toolkit-card-${kind}`;
  if (text !== undefined) one.textContent = text;
  return one;
};
const TITLES = { head: "Title, description and headings", text: "Main text" };

function render({ model, el }) {
  const box = made("article", "box");
  el.append(box);
  box.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));

  const badge = (basis) => {
    const one = made("span", `basis toolkit-card-${basis || "own"}`, basis || "your table");
    one.title = model.get("content").bases[basis];
    return one;
  };
  const button = (text, label, tell) => {
    const one = made("button", "why", text);
    one.type = "button";
    one.setAttribute("aria-label", label);
    one.dataset.key = label;
    one.addEventListener("click", () => model.send(tell));
    return one;
  };
  function valueOf(line, value) {
    const item = made("li", "value");
    item.append(made("span", "text", value.text));
    if (value.more) item.append(made("span", "more", value.more));
    if (value.number !== null) {
      item.append(button("Why?", `Why? ${line.name}: ${value.text}`, { type: "why", number: value.number }));
    }
    return item;
  }
  function partOf(heading) {
    const part = made("section", "part");
    const title = made("h4", "heading", heading.name);
    if (heading.basis !== null) title.append(" ", badge(heading.basis));
    part.append(title);
    const list = made("dl", "lines");
    for (const line of heading.lines) {
      const name = made("dt", "name", line.name);
      if (heading.basis === null) name.append(" ", badge(line.basis));
      const values = made("ul", "values");
      values.append(...line.values.map((value) => valueOf(line, value)));
      const place = made("dd", "place");
      place.append(values);
      list.append(name, place);
    }
    part.append(list);
    return part;
  }
  function draw() {
    const content = model.get("content");
    // The button that was pressed keeps the focus when its answer is drawn.
    const key = box.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    box.setAttribute("aria-label", `Card of ${content.site}`);
    const head = made("header", "head");
    head.append(made("h3", "site", content.site));
    if (content.has_page) head.append(button("Read the page", `Read the page of ${content.site}`, { type: "read" }));
    const said = made("div", "said", content.said);
    said.setAttribute("role", "status");
    const failures = content.failures.map((text) => {
      const line = made("p", "failure", text);
      line.setAttribute("role", "note");
      return line;
    });
    const page = (content.page ?? []).map(({ name, text }) => {
      const part = made("details", "page");
      part.open = name === "head";
      part.append(made("summary", "", TITLES[name] ?? name), made("div", "read", text));
      return part;
    });
    const used = new Set(content.headings.flatMap((heading) => heading.lines.map((line) => line.basis)));
    const legend = made("p", "legend");
    for (const basis of ["measured", "inferred", ""]) {
      if (used.has(basis)) legend.append(badge(basis), ` ${content.bases[basis]}. `);
    }
    const parts = made("div", "parts");
    parts.append(...content.headings.map(partOf));
    box.replaceChildren(head, ...failures, legend, said, ...page, parts);
    if (key) [...box.querySelectorAll("button")].find((one) => one.dataset.key === key)?.focus();
  }
  model.on("change:content", draw);
  draw();
  return () => model.off("change:content", draw);
}

export default { render };
