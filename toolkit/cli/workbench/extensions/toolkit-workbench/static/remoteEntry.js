// A plugin of JupyterLab, in the form in which it loads those that others have built. It is loaded by `toolkit app`
// alone: it runs the notebook when it opens, and leaves of JupyterLab nothing but what the notebook shows.
(() => {
  const NAME = 'toolkit-workbench';
  const TITLE = 'Audience workbench';
  const AROUND = new Set(['jp-top-panel', 'jp-menu-panel', 'jp-bottom-panel', 'jp-title-panel-title']);
  const STYLE = `
    .jp-NotebookPanel-toolbar, .jp-Notebook-footer, .jp-cell-toolbar, .jp-Cell-inputCollapser,
    .jp-Cell-outputCollapser, .jp-CodeCell .jp-Cell-inputWrapper, .jp-InputPrompt, .jp-OutputPrompt,
    .jp-OutputArea-promptOverlay { display: none !important; }
    .jp-MarkdownCell { pointer-events: none; }
    .jp-Notebook .jp-Cell, .jp-Notebook .jp-Cell.jp-mod-active { border: 0; background: none; box-shadow: none; }
    .jp-NotebookPanel-notebook { padding: 8px; }
    .toolkit-workbench-begins { padding: 24px; font-size: var(--jp-ui-font-size2); color: var(--jp-ui-font-color1); }`;
  const BUSY = new Set(['restarting', 'autorestarting']);

  const within = function* (widget) {
    yield widget;
    for (const child of widget.children ? widget.children() : widget.layout || []) {
      yield* within(child);
    }
  };

  const opened = async shell => {
    for (;;) {
      const panel = [...shell.widgets('main')].find(widget => widget.sessionContext && widget.context);
      if (panel) {
        await panel.context.ready;
        await panel.sessionContext.ready;
        return panel;
      }
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  };

  const activate = async app => {
    const style = document.createElement('style');
    style.textContent = STYLE;
    document.head.append(style);
    // A key that JupyterLab takes for a command would add, cut or change cells that nobody sees.
    app.commands.processKeydownEvent = () => {};
    await app.restored;
    const panel = await opened(app.shell);
    for (const widget of within(app.shell)) {
      if (AROUND.has(widget.id) || widget.hasClass('jp-SideBar')) {
        widget.hide();
      }
    }
    panel.toolbar.hide();
    const { model } = panel.context;
    // What is lost with the page is nothing: the kernel has the widgets, and the folder the runs.
    model.stateChanged.connect(() => { if (model.dirty) { model.dirty = false; } });
    const named = () => { if (document.title !== TITLE) { document.title = TITLE; } };
    new MutationObserver(named).observe(document.querySelector('title'), { childList: true });
    named();

    const run = async () => {
      const waiting = document.createElement('div');
      waiting.className = 'toolkit-workbench-begins';
      waiting.setAttribute('role', 'status');
      waiting.textContent = 'The workbench opens …';
      panel.content.node.append(waiting);
      await panel.sessionContext.session.kernel.info;
      await app.commands.execute('notebook:run-all-cells');
      waiting.remove();
    };
    let isNew = false;
    panel.sessionContext.statusChanged.connect((_, status) => {
      if (BUSY.has(status)) {
        isNew = true;
      } else if (status === 'idle' && isNew) {
        isNew = false;
        run();
      }
    });
    await run();
  };

  const plugin = { id: `${NAME}:plugin`, autoStart: true, activate: app => { activate(app); } };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB[NAME] = { init: () => {}, get: async () => () => ({ __esModule: true, default: plugin }) };
})();
