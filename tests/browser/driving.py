"""How a test drives JupyterLab in a browser: how it is started, what is asked of its page, and what is pressed."""

import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import nbformat
import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
SHOTS = os.environ.get("SCREENSHOTS")
AXE = os.environ.get("AXE_CORE", "")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: Gives the panel of a notebook that is opened, by its name.
PANEL = "(name => [...window.jupyterapp.shell.widgets('main')].find(w => w.context?.path.endsWith(name)))"
#: Waits for the kernel of a notebook that is opened: a JupyterLab that ends while it starts one may never end.
AT_REST = f"""async (name) => {{
  for (let i = 0; i < 600; i++) {{
    const panel = {PANEL}(name);
    const kernel = panel && panel.sessionContext.session && panel.sessionContext.session.kernel;
    const isReady = panel && panel.context.isReady && panel.sessionContext.isReady;
    if (isReady && kernel && kernel.status === 'idle') {{ return; }}
    await new Promise(resolve => setTimeout(resolve, 100));
  }}
  throw new Error(`the kernel of ${{name}} is not ready`);
}}"""
RUN_ALL = f"""async (name) => {{
  await ({AT_REST})(name);
  const panel = {PANEL}(name);
  await panel.sessionContext.session.kernel.info;
  await window.jupyterapp.commands.execute('notebook:run-all-cells');
  return panel.content.widgets.filter(c => c.model.type === 'code').map(c => c.model.executionCount);
}}"""
OPEN = """async (name) => {
  const panel = await window.jupyterapp.commands.execute('docmanager:open', { path: `notebooks/${name}` });
  await panel.context.ready;
}"""
#: Closes the notebooks and what was opened beside them, and makes JupyterLab look as it did at first.
LEAVE = """async (shares) => {
  const app = window.jupyterapp;
  for (const widget of [...app.shell.widgets('main')]) {
    if (widget.context) { widget.context.model.dirty = false; }
    if (widget.sessionContext) { await widget.sessionContext.shutdown(); }
    widget.close();
  }
  await app.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' });
  app.shell.expandLeft();
  // The side bar keeps its share of a window that was narrow for a while.
  app.shell._hsplitPanel.setRelativeSizes(shares);
}"""
RUN_SOME = f"""async ([name, from, to]) => {{
  await ({AT_REST})(name);
  const content = {PANEL}(name).content;
  for (const cell of content.widgets.filter(cell => cell.model.type === 'code').slice(from, to)) {{
    content.activeCellIndex = content.widgets.indexOf(cell);
    await window.jupyterapp.commands.execute('notebook:run-cell');
  }}
}}"""

#: What is wider than its place, or reaches beyond the right edge of the widget; a grid scrolls in a box of its own.
CUT_OFF = """() => {
  const widget = document.querySelector('.jp-OutputArea .widget-vbox');
  const edge = widget.parentElement.getBoundingClientRect().right;
  const isOwn = e => e.closest('.js-plotly-plot, .tabulator, .hidden');
  const shown = [...widget.querySelectorAll('*')].filter(e => e.offsetParent !== null && !isOwn(e));
  const wide = e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible';
  const cut = shown.filter(e => e.getBoundingClientRect().right > edge + 0.5 || wide(e));
  return cut.map(e => `${e.tagName}.${e.className} ${e.scrollWidth} > ${e.clientWidth}`);
}"""


def unfold(runs):
    """Show the list and the questions again, where a run has put them away."""
    if button(runs, "Change$").is_visible():
        button(runs, "Change$").click()


#: Serious faults that axe-core finds in the panel's part of the page, in the words of its rules.
FAULTS = """async (script) => {
  if (!window.axe) { (0, eval)(script); }
  const panel = document.querySelector('.jp-OutputArea .toolkit-keys');
  const found = await window.axe.run(panel, { resultTypes: ['violations'] });
  const bad = found.violations.filter((one) => ['serious', 'critical'].includes(one.impact));
  return bad.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 120)}`));
}"""
THEME = """async (theme) => {
  await window.jupyterapp.commands.execute('apputils:change-theme', { theme });
  const isLight = String(theme.endsWith('Light'));
  while (document.body.dataset.jpThemeLight !== isLight) { await new Promise((done) => setTimeout(done, 50)); }
}"""
#: What plotly says of a chart that is not there any more.
GONE = "Resize must be passed a displayed plot div element."
#: For tests that ask axe-core.
needs_axe = pytest.mark.skipif(
    not AXE, reason="axe-core is missing: name its axe.min.js in AXE_CORE to check accessibility"
)


def serious_faults(page):
    """Return what axe-core finds in the first widget of a page; what is being drawn is looked at again."""
    source = Path(AXE).read_text(encoding="utf-8")
    found = page.evaluate(FAULTS, source)
    for _ in range(4):
        if found:
            page.wait_for_timeout(500)
            found = page.evaluate(FAULTS, source)
    return found


def paste(runs, targets):
    unfold(runs)
    field = runs.locator(".toolkit-run-targets textarea")
    field.scroll_into_view_if_needed()
    field.fill("\n".join(targets))
    field.press("Tab")


def button(runs, label):
    # By its text, as the icon is a character of its name.
    return runs.locator(".jp-OutputArea button.jupyter-button", has_text=re.compile(rf"^\W*{label}"))


def wait_for_text(runs, text, seconds=60):
    runs.wait_for_selector(f".jp-OutputArea .widget-vbox >> text={text}", timeout=1000 * seconds)


def note_outside(page, url):
    if not url.startswith(("http://127.0.0.1", "http://localhost", "ws://127.0.0.1", "data:", "blob:")):
        page.outside.append(url)


def note_error(page, said):
    if said.type == "error":
        page.errors.append(f"{said.text} {said.location['url']}")


def note_failure(page, error):
    # JupyterLab's own renderer of charts asks how large one is after it drew it, also where its notebook was closed
    # meanwhile: on a machine with much to do, that is said when the next notebook is open.
    is_gone = str(error) == GONE and "/lab/extensions/jupyterlab-plotly/" in error.stack
    if not is_gone:
        page.failures.append(str(error))


def watched_page(window):
    """Return a new page that notes what it asks of other hosts, and what fails in it."""
    page = window.new_page()
    page.outside, page.failures, page.errors = [], [], []
    page.on("console", lambda said: note_error(page, said))
    page.on("request", lambda request: note_outside(page, request.url))
    page.on("pageerror", lambda error: note_failure(page, error))
    return page


def open_notebook(page, name):
    """Open a notebook in JupyterLab, and wait for its kernel."""
    page.evaluate(OPEN, f"{name}.ipynb")
    page.evaluate(AT_REST, f"{name}.ipynb")


def run_all(page, name):
    """Run the cells of a notebook that is opened, and return their numbers."""
    return page.evaluate(RUN_ALL, f"{name}.ipynb")


def run_some(page, name, first, last):
    """Run some of the cells with code of a notebook that is opened."""
    page.evaluate(RUN_SOME, [f"{name}.ipynb", first, last])


def shot(page, name):
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def put_notebook(lab, name, cells):
    """Put a notebook of these cells beside the others of a JupyterLab."""
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    content = nbformat.v4.new_notebook(metadata=kernel, cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    root = lab.partition("/lab/tree/")[0]
    httpx.put(
        f"{root}/api/contents/notebooks/{name}.ipynb?token=token", json={"type": "notebook", "content": content}
    ).raise_for_status()


@contextmanager
def started(home, command="lab", *more, taken=None):
    """``toolkit lab``, or ``app``, in an empty folder that is its home too; yields its address.

    `taken` gets the process, for who waits for its end.
    """
    if command == "lab":
        shutil.copytree(NOTEBOOKS, home / "notebooks")
    settings = home / "settings"
    tracker = settings / "@jupyterlab" / "notebook-extension"
    tracker.mkdir(parents=True)
    # By default cells outside the window are not in the page, and a test could not find them.
    (tracker / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "TOOLKIT_"))},
        "HOME": str(home),
        "PYTHONPATH": str(NOTEBOOKS.parent),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(settings),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }
    program = [sys.executable, "-c", "import sys; from toolkit.cli.main import main; sys.exit(main())"]
    options = ["--ip=127.0.0.1", "--port=0", "--IdentityProvider.token=token", "--expose-app-in-browser"]
    log = home / f"{command}.log"
    with log.open("w") as output:
        arguments = [*program, command, "--no-browser", *more, *options]
        process = subprocess.Popen(arguments, cwd=home, env=environment, stdout=output, stderr=output)
        if taken is not None:
            taken.append(process)
        try:
            yield wait_for_address(process, log)
        finally:
            process.terminate()
            try:
                # It ends its kernels first.
                process.wait(8)
            except subprocess.TimeoutExpired:
                # One that is told to end while it starts a kernel may never end; its kernels end without it.
                process.kill()
                process.wait()


def wait_for_address(process, log):
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if found := re.search(r"http://127\.0\.0\.1:\d+/(?:lab|doc)/tree/\S+", log.read_text()):
            return found[0].split("?")[0]
        if process.poll() is not None:
            break
        time.sleep(0.2)
    raise AssertionError(f"JupyterLab did not start:\n{log.read_text()}")
