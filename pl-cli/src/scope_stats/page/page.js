const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
const titles = { task_window: 'Task window', heap: 'Heap', dep_pool: 'Dep pool', tensormap: 'Tensormap' };
const risk = share => share === null || share === undefined ? 'none' : share >= 0.8 ? 'danger' : share >= 0.5 ? 'warn' : 'ok';

function plural(number, one, many) {
  return `${integer.format(number)} ${number === 1 ? one : many}`;
}

function head() {
  const base = data.file.split(/[\\/]/).pop() || data.file;
  document.title = `${base} – scope statistics`;
  byId('title').append(base, ' ', make('span', { className: `chip ${data.good ? 'good' : 'bad'}`, textContent: data.status }));
  byId('title').title = data.file;
  const rings = new Set(data.lanes.filter(lane => lane.ring !== null).map(lane => lane.ring));
  const resources = [...new Set(data.lanes.map(lane => titles[lane.resource].toLowerCase()))];
  const lead = rings.size === 0
    ? 'No scope was recorded.'
    : `What ${plural(data.scopes, 'scope', 'scopes')} held of ${resources.join(', ')} on ${plural(rings.size, 'ring', 'rings')}. `
      + (data.run ? 'Heaps are judged by demand, which run.json tells.' : 'There is no run.json, so demand is unknown and heaps are judged by high water.');
  byId('lead').textContent = lead;
  const facts = [
    ['Records', data.total === null || data.total === data.records ? integer.format(data.records) : `${integer.format(data.records)} of ${integer.format(data.total)}`],
    ['Scopes', integer.format(data.scopes)],
    ['Rings', String(rings.size)],
    ['Sites', integer.format(data.sites_in_all)],
    ['Version', data.version === null ? 'unknown' : String(data.version)],
  ];
  if (data.dropped) facts.push(['Dropped', integer.format(data.dropped)]);
  if (data.run) facts.push(['Entry', data.run.entry], ['Executor', data.run.executor]);
  if (data.most_common) facts.push(['Most common site', `${data.most_common[0]} (${integer.format(data.most_common[1])})`]);
  byId('facts').append(...facts.map(([name, value]) => make('div', {}, make('dt', { textContent: name }), make('dd', { textContent: value }))));
}

function list(id, items) {
  if (items.length === 0) return;
  byId(id).hidden = false;
  byId(id).append(make('ul', { className: 'plain card' }, ...items));
}

function texts() {
  list('advice', data.advice.map(text => make('li', { textContent: text })));
  list('findings', data.findings.map(finding => {
    const lines = finding.lines.length === 0 ? '' : `line ${finding.lines.join(', ')}${finding.count > finding.lines.length ? ` and more (${integer.format(finding.count)} in all)` : ''}: `;
    return make('li', {}, make('span', { className: `tag ${finding.severity}`, textContent: finding.kind }), lines + finding.text);
  }));
  if (data.open_scopes.length > 0) {
    const columns = [
      { label: 'Site', text: true, kind: 'site', value: row => row.site },
      { label: 'Depth', value: row => row.depth },
      { label: 'Ring', value: row => row.ring },
      { label: 'Line', value: row => row.line },
    ];
    byId('open').hidden = false;
    byId('open').append(
      make('p', { className: 'muted', textContent: data.ends_with_run ? 'The last one is innermost: the run stopped inside it.' : 'They were open where the file ends; what follows is missing.' }),
      table(columns, data.open_scopes, 'Scopes that never closed').element);
  }
}

function use(share) {
  const level = risk(share);
  const fill = make('span', { className: `fill ${level}`, style: `width: ${Math.min(100, Math.max(0, 100 * (share || 0)))}%` });
  return make('span', { className: 'use' },
    make('span', { className: 'track', 'aria-hidden': 'true' }, fill), make('span', { className: `text ${level}`, textContent: percent(share) }));
}

const ringName = lane => lane.ring === null ? 'all' : String(lane.ring);
/** What a lane is judged by. */
const judged = lane => {
  if (lane.demand !== null) return { value: lane.demand, share: lane.capacity ? lane.demand / lane.capacity : null };
  return (lane.resource === 'tensormap' ? lane.live_at_exit : lane.high_water) || { value: null, share: null };
};

function peaks() {
  const figure = (label, of) => ({
    label,
    value: lane => of(lane),
    show: lane => of(lane) === null || of(lane) === undefined ? '–' : amount(lane.unit, of(lane)),
  });
  const order = Object.keys(titles);
  const columns = [
    { label: 'Resource', text: true, value: lane => String(order.indexOf(lane.resource)), show: lane => titles[lane.resource] },
    { label: 'Ring', value: lane => lane.ring ?? 4, show: ringName },
    figure('Capacity', lane => lane.capacity),
    figure('Demand', lane => lane.demand),
    figure('High water', lane => lane.high_water?.value),
    figure('Live at exit', lane => lane.live_at_exit?.value),
    figure('By one scope', lane => lane.resource === 'tensormap' ? null : lane.alloc_per_scope?.value),
    { label: 'Use', value: lane => judged(lane).share, show: lane => use(judged(lane).share) },
    { label: 'Peak site', text: true, kind: 'site', value: lane => (lane.resource === 'tensormap' ? lane.live_at_exit : lane.high_water)?.site ?? '–' },
    { label: 'Scope', value: lane => lane.high_water?.scope, show: lane => lane.high_water?.scope ? `#${integer.format(lane.high_water.scope)}` : 'open' },
  ];
  const note = data.run ? 'Use is demand by capacity where demand is known, otherwise high water by capacity.'
    : 'Use is high water by capacity (tensormap: live entries).';
  byId('peaks').append(table(columns, data.lanes, 'Peaks of each resource and ring').element, make('p', { className: 'muted', textContent: note }));
}

function enlarge(spec) {
  const dialog = byId('large');
  dialog.lastElementChild.replaceChildren(new Chart(spec, Math.round(innerHeight * 0.6)).figure);
  dialog.showModal();
  dialog.querySelector('svg').focus();
}

function lines(chart, keys) {
  const labels = { high_water: ['High water', 'high'], live_at_exit: ['Live at exit', 'live'], alloc_per_scope: ['Allocated by a scope', 'alloc'] };
  return keys.filter(key => chart[key]).map(key => ({ label: labels[key][0], colour: labels[key][1], filled: key === 'live_at_exit', ...chart[key] }));
}

function ring(chart) {
  const lane = data.lanes.find(lane => lane.resource === chart.resource && lane.ring === chart.ring);
  const details = make('details', { className: 'ring', open: chart.scopes > 1 });
  const name = lane.ring === null ? 'All rings' : `Ring ${lane.ring}`;
  const most = judged(lane);
  const summary = make('summary', {}, make('strong', { textContent: name }), make('span', { textContent: plural(chart.scopes, 'scope', 'scopes') }));
  if (lane.capacity) summary.append(make('span', { textContent: `capacity ${amount(lane.unit, lane.capacity)}` }));
  if (most.value !== null) summary.append(make('span', { textContent: `${lane.demand === null ? 'peak' : 'demand'} ${amount(lane.unit, most.value)}` }), use(most.share));
  const charts = make('div', { className: 'charts' });
  const common = { unit: lane.unit, scopes: chart.scopes, width: chart.width };
  const kinds = [
    { ...common, title: 'Pressure', capacity: lane.capacity, lines: lines(chart, ['high_water', 'live_at_exit']) },
    { ...common, title: 'Throughput', capacity: null, lines: lines(chart, ['alloc_per_scope']) },
  ].filter(spec => spec.lines.length > 0);
  if (kinds.length === 1) charts.classList.add('single');
  for (const spec of kinds) {
    const large = { ...spec, title: `${titles[lane.resource]}, ${name.toLowerCase()}: ${spec.title.toLowerCase()}` };
    charts.append(new Chart(spec, 220, () => enlarge(large)).figure);
  }
  details.append(summary, charts);
  if (chart.width > 1) {
    details.append(make('p', { className: 'muted', style: 'padding: 0 16px; font-size: 12.5px', textContent:
      `Each point stands for ${integer.format(chart.width)} consecutive scopes: the line is their greatest value, so no peak is lost, and the band reaches down to the least.` }));
  }
  return details;
}

function resources() {
  for (const key of Object.keys(titles)) {
    const charts = data.charts.filter(chart => chart.resource === key);
    if (charts.length === 0) continue;
    const heading = make('h2', { id: `h-${key}`, textContent: titles[key] });
    const section = make('section', { 'aria-labelledby': heading.id }, heading);
    section.append(...charts.map(ring));
    byId('resources').append(section);
  }
}

function sites() {
  if (data.sites.length === 0) {
    byId('sites').hidden = true;
    return;
  }
  const heap = (label, key) => ({ label, value: row => row[key], show: row => amount('bytes', row[key]) });
  const number = (label, key) => ({ label, value: row => row[key], show: row => integer.format(row[key]) });
  const columns = [
    { label: 'Site', text: true, kind: 'site', value: row => row.site },
    { label: 'Rings', text: true, value: row => row.rings.join(', ') },
    number('Scopes', 'scopes'),
    heap('Heap high water', 'heap_high_water'),
    heap('Live at exit', 'heap_live'),
    heap('Allocated in all', 'heap_alloc'),
    number('Task high water', 'task_high_water'),
  ];
  const { element, filter } = table(columns, data.sites, 'Sites');
  const input = make('input', { type: 'search', placeholder: 'Filter sites', 'aria-label': 'Filter sites',
    oninput: () => filter(row => row.site.toLowerCase().includes(input.value.toLowerCase())) });
  byId('sites').append(make('p', { className: 'filter' }, input), element);
  if (data.sites_in_all > data.sites.length) {
    byId('sites').append(make('p', { className: 'muted', textContent: `The ${integer.format(data.sites.length)} sites with most heap of ${integer.format(data.sites_in_all)}.` }));
  }
}

function controls() {
  const themes = ['system', 'light', 'dark'];
  byId('theme').onclick = () => {
    const now = document.documentElement.dataset.theme || 'system';
    const next = themes[(themes.indexOf(now) + 1) % themes.length];
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    byId('theme').textContent = `Theme: ${next}`;
  };
  byId('print').onclick = () => print();
  const dialog = byId('large');
  dialog.querySelector('.close').onclick = () => dialog.close();
  dialog.onclick = event => { if (event.target === dialog) dialog.close(); };
}

head();
texts();
peaks();
resources();
sites();
controls();
