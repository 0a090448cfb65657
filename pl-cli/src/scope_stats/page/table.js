/**
 * A table that its column heads sort.
 * columns: [{label, text?: whether it is text, value: row => what to sort by, show: row => text or element}]
 */
function table(columns, rows, caption) {
  const body = make('tbody');
  const heads = columns.map((column, at) => {
    const button = make('button', { type: 'button', textContent: column.label, onclick: () => sort(at) });
    return make('th', { scope: 'col', className: column.text ? 'text' : '' }, button);
  });
  const lines = rows.map(row => {
    const cells = columns.map(column => {
      const shown = (column.show || column.value)(row) ?? '–';
      const cell = make('td', { className: (column.text ? 'text ' : '') + (column.kind || '') }, shown);
      if (column.kind === 'site') cell.title = shown;
      return cell;
    });
    return { row, line: make('tr', {}, ...cells) };
  });
  const order = (a, b) => {
    if (a === b) return 0;
    if (a === null || a === undefined) return -1;
    if (b === null || b === undefined) return 1;
    return typeof a === 'string' ? a.localeCompare(b, 'en', { numeric: true }) : a - b;
  };
  function sort(at) {
    const head = heads[at];
    const now = head.getAttribute('aria-sort');
    const start = columns[at].text ? 'ascending' : 'descending';
    const next = now === null ? start : now === 'ascending' ? 'descending' : 'ascending';
    for (const other of heads) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', next);
    const sign = next === 'ascending' ? 1 : -1;
    lines.sort((a, b) => sign * order(columns[at].value(a.row), columns[at].value(b.row)));
    body.append(...lines.map(({ line }) => line));
  }
  body.append(...lines.map(({ line }) => line));
  const head = make('thead', {}, make('tr', {}, ...heads));
  const element = make('table', {}, make('caption', { className: 'sr', textContent: caption }), head, body);
  const filter = words => {
    for (const { row, line } of lines) line.hidden = !words(row);
  };
  return { element: make('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': caption }, element), filter };
}
