'use strict';

/** An element with properties and children; text is never markup. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && name !== 'style') element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function draw(tag, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

const integer = new Intl.NumberFormat('en');

/** A number of units: bytes in the largest unit that they fill. */
function amount(unit, value) {
  if (unit !== 'bytes' || value < 1024) return integer.format(value) + (unit === 'bytes' ? ' B' : '');
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let at = -1;
  do { value /= 1024; at += 1; } while (value >= 1024 && at + 1 < units.length);
  const digits = Number.isInteger(value) ? 0 : value >= 100 ? 1 : 2;
  return value.toFixed(digits) + ' ' + units[at];
}

const percent = share => share === null || share === undefined ? 'n/a' : (100 * share).toFixed(2) + ' %';

/** Round values from 0 up to `top`. */
function ticks(unit, top) {
  let step;
  if (unit === 'bytes') {
    step = 2 ** Math.max(0, Math.ceil(Math.log2(top / 5)));
  } else {
    const power = 10 ** Math.floor(Math.log10(top / 5));
    step = [1, 2, 2.5, 5, 10].map(factor => factor * power).find(size => size * 5 >= top) || 10 * power;
    step = Math.max(1, Math.ceil(step));
  }
  const values = [];
  for (let value = 0; value <= top; value += step) values.push(value);
  return values;
}

/**
 * Lines over the scopes of a lane.
 * spec: {title, unit, capacity, scopes, width, lines: [{label, colour, filled, max, min, at, site}]}
 */
class Chart {
  constructor(spec, height, enlarge) {
    Object.assign(this, { spec, height, enlarge });
    this.buckets = spec.lines[0].max.length;
    this.from = 0;
    this.to = this.buckets;
    this.cursor = null;
    this.whole = false;
    this.figure = make('figure');
    this.reset = make('button', { type: 'button', textContent: 'Reset zoom', hidden: true, onclick: () => this.zoom(0, this.buckets) });
    const caption = make('figcaption', {}, make('b', { textContent: spec.title }));
    for (const line of spec.lines) {
      caption.append(make('span', { className: 'key', style: `--colour: var(--${line.colour})`, textContent: line.label }));
    }
    caption.append(make('span', { className: 'spacer' }), this.reset);
    if (enlarge) caption.append(make('button', { type: 'button', textContent: 'Enlarge', onclick: enlarge }));
    this.svg = draw('svg', { class: 'plot', height, tabindex: 0, role: 'img', 'aria-label': this.describe() });
    this.tip = make('div', { className: 'tip', hidden: true });
    this.spoken = make('div', { className: 'sr', 'aria-live': 'polite' });
    this.figure.append(caption, this.svg, this.tip, this.spoken);
    this.listen();
    new ResizeObserver(() => this.render()).observe(this.svg);
  }

  describe() {
    const peaks = this.spec.lines.map(line => `${line.label} up to ${amount(this.spec.unit, line.max.reduce((a, b) => Math.max(a, b), 0))}`);
    return `${this.spec.title}: ${peaks.join(', ')}, over ${this.spec.scopes} scopes. Arrow keys read values.`;
  }

  listen() {
    const { svg } = this;
    const x = event => event.clientX - svg.getBoundingClientRect().left;
    svg.addEventListener('pointermove', event => {
      if (this.pressed !== undefined) this.select(this.pressed, x(event));
      this.point(this.bucket(x(event)));
    });
    svg.addEventListener('pointerleave', () => { if (this.pressed === undefined) this.point(null); });
    svg.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.pressed = x(event);
      svg.setPointerCapture(event.pointerId);
    });
    const release = event => {
      const from = this.pressed;
      if (from === undefined) return;
      this.pressed = undefined;
      this.select(0, 0);
      if (event.type === 'pointerup' && Math.abs(x(event) - from) > 6) {
        const ends = [this.bucket(from), this.bucket(x(event))].sort((a, b) => a - b);
        this.zoom(ends[0], ends[1] + 1);
      }
    };
    svg.addEventListener('pointerup', release);
    svg.addEventListener('pointercancel', release);
    svg.addEventListener('dblclick', () => this.zoom(0, this.buckets));
    svg.addEventListener('wheel', event => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.scale(event.deltaY < 0 ? 0.7 : 1 / 0.7, this.bucket(x(event)));
    }, { passive: false });
    svg.addEventListener('keydown', event => this.key(event));
    svg.addEventListener('blur', () => this.point(null));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.cursor ?? this.from;
    const far = Math.max(1, Math.round((this.to - this.from) / 20));
    const step = event.shiftKey ? far : 1;
    const actions = {
      ArrowRight: () => this.point(this.cursor === null ? this.from : Math.min(this.to - 1, at + step), true),
      ArrowLeft: () => this.point(Math.max(this.from, at - step), true),
      Home: () => this.point(this.from, true),
      End: () => this.point(this.to - 1, true),
      '+': () => this.scale(0.5, at),
      '=': () => this.scale(0.5, at),
      '-': () => this.scale(2, at),
      0: () => this.zoom(0, this.buckets),
      c: () => { this.whole = !this.whole; this.render(); },
      Enter: () => this.enlarge && this.enlarge(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  scale(factor, around) {
    const size = Math.min(this.buckets, Math.max(4, Math.round((this.to - this.from) * factor)));
    const left = around - Math.round(size * (around - this.from) / (this.to - this.from));
    const from = Math.min(Math.max(0, left), this.buckets - size);
    this.zoom(from, from + size);
  }

  zoom(from, to) {
    this.from = Math.max(0, Math.min(from, this.buckets - 1));
    this.to = Math.min(this.buckets, Math.max(to, this.from + 1));
    this.reset.hidden = this.from === 0 && this.to === this.buckets;
    this.render();
  }

  /** Where the middle of a bucket is. */
  left(bucket) {
    return this.area.left + (bucket + 0.5 - this.from) * this.area.width / (this.to - this.from);
  }

  bucket(x) {
    const at = this.from + Math.floor((x - this.area.left) * (this.to - this.from) / this.area.width);
    return Math.min(this.to - 1, Math.max(this.from, at));
  }

  top() {
    let peak = 0;
    for (const line of this.spec.lines) {
      for (let at = this.from; at < this.to; at += 1) peak = Math.max(peak, line.max[at]);
    }
    const { capacity } = this.spec;
    if (capacity && (this.whole || peak > 0.25 * capacity)) peak = Math.max(peak, capacity);
    return peak > 0 ? 1.1 * peak : 1;
  }

  render() {
    const width = this.svg.clientWidth;
    if (!width) return;
    const area = { left: 72, width: Math.max(10, width - 86), top: 14, height: this.height - 44 };
    this.area = area;
    // On paper, which may be narrower, it is scaled.
    this.svg.setAttribute('viewBox', `0 0 ${width} ${this.height}`);
    const { unit, capacity } = this.spec;
    const top = this.top();
    const y = value => area.top + area.height * (1 - value / top);
    const parts = [];
    for (const value of ticks(unit, top)) {
      parts.push(draw('line', { class: 'grid', x1: area.left, x2: area.left + area.width, y1: y(value), y2: y(value) }));
      parts.push(draw('text', { x: area.left - 8, y: y(value) + 4, 'text-anchor': 'end' }, amount(unit, value)));
    }
    const bottom = area.top + area.height;
    const first = this.from * this.spec.width + 1;
    const last = Math.min(this.spec.scopes, this.to * this.spec.width);
    const labels = last === first ? [[area.left, 'start', `scope ${integer.format(first)}`]] : [
      [area.left, 'start', `scope ${integer.format(first)}`],
      [area.left + area.width, 'end', integer.format(last)],
    ];
    if (area.width > 320 && last - first > 2) {
      labels.push([area.left + area.width / 2, 'middle', integer.format(Math.round((first + last) / 2))]);
    }
    for (const [x, anchor, text] of labels) parts.push(draw('text', { x, y: bottom + 18, 'text-anchor': anchor }, text));
    parts.push(draw('line', { class: 'axis', x1: area.left, x2: area.left + area.width, y1: bottom, y2: bottom }));
    // The first line is the greatest: it stands in front.
    for (const line of this.spec.lines.toReversed()) parts.push(...this.path(line, y));
    if (capacity && capacity <= top) {
      parts.push(draw('line', { class: 'capacity', x1: area.left, x2: area.left + area.width, y1: y(capacity), y2: y(capacity) }));
      parts.push(draw('text', { class: 'capacity-text', x: area.left + area.width, y: y(capacity) - 5, 'text-anchor': 'end' }, `capacity ${amount(unit, capacity)}`));
    } else if (capacity && area.width > 320) {
      parts.push(draw('text', { x: area.left + area.width, y: 11, 'text-anchor': 'end' }, `capacity ${amount(unit, capacity)}, above the chart ↑`));
    }
    this.mark = draw('rect', { class: 'select', x: 0, y: area.top, width: 0, height: area.height });
    this.hair = draw('line', { class: 'cursor', y1: area.top, y2: bottom, visibility: 'hidden' });
    this.dots = this.spec.lines.map(line => draw('circle', { r: 3.5, fill: `var(--${line.colour})`, visibility: 'hidden' }));
    this.y = y;
    this.svg.replaceChildren(...parts, this.mark, this.hair, ...this.dots);
    if (this.cursor !== null) this.point(Math.min(this.to - 1, Math.max(this.from, this.cursor)));
  }

  /** The greatest values as a line; what lies between them and the least ones as a band. */
  path(line, y) {
    const points = [];
    const lower = [];
    for (let at = this.from; at < this.to; at += 1) {
      const x = this.left(at).toFixed(1);
      points.push(`${x},${y(line.max[at]).toFixed(1)}`);
      if (line.min) lower.push(`${x},${y(line.min[at]).toFixed(1)}`);
    }
    const colour = `var(--${line.colour})`;
    const shapes = [];
    if (line.filled && points.length > 1) {
      const [left, right, ground] = [this.left(this.from), this.left(this.to - 1), y(0)];
      shapes.push(draw('path', { class: 'ground', fill: colour, d: `M${left},${ground}L${points.join('L')}L${right},${ground}Z` }));
    }
    if (lower.length > 1) {
      shapes.push(draw('path', { class: 'band', fill: colour, d: `M${points.join('L')}L${lower.reverse().join('L')}Z` }));
    }
    if (points.length > 1) shapes.push(draw('path', { class: 'line', stroke: colour, d: `M${points.join('L')}` }));
    if (points.length <= 60) {
      for (const point of points) {
        const [cx, cy] = point.split(',');
        shapes.push(draw('circle', { cx, cy, r: 2.2, fill: colour }));
      }
    }
    return shapes;
  }

  select(from, to) {
    this.mark.setAttribute('x', Math.min(from, to));
    this.mark.setAttribute('width', Math.abs(to - from));
  }

  /** Shows the values of a bucket, or none. */
  point(bucket, speak) {
    this.cursor = bucket;
    const visibility = bucket === null ? 'hidden' : 'visible';
    if (!this.area) return;
    this.hair.setAttribute('visibility', visibility);
    for (const dot of this.dots) dot.setAttribute('visibility', visibility);
    this.tip.hidden = bucket === null;
    if (bucket === null) return;
    const { unit, capacity, width, scopes, lines } = this.spec;
    const x = this.left(bucket);
    this.hair.setAttribute('x1', x);
    this.hair.setAttribute('x2', x);
    const first = bucket * width + 1;
    const last = Math.min(scopes, first + width - 1);
    const heading = first === last ? `Scope ${integer.format(first)}` : `Scopes ${integer.format(first)}–${integer.format(last)}`;
    const rows = [make('b', { textContent: heading })];
    const sites = new Set();
    lines.forEach((line, index) => {
      const value = line.max[bucket];
      this.dots[index].setAttribute('cx', x);
      this.dots[index].setAttribute('cy', this.y(value));
      let text = `${line.label} ${amount(unit, value)}`;
      if (line.min && line.min[bucket] !== value) text = `${line.label} ${amount(unit, line.min[bucket])} to ${amount(unit, value)}`;
      if (capacity) text += ` (${percent(value / capacity)})`;
      if (line.at && last > first) text += `, most in scope ${integer.format(line.at[bucket])}`;
      rows.push(make('div', { className: 'key', style: `--colour: var(--${line.colour})`, textContent: text }));
      sites.add(line.site[bucket]);
    });
    for (const site of sites) rows.push(make('div', { className: 'site', textContent: data.names[site] }));
    this.tip.replaceChildren(...rows);
    const room = this.figure.clientWidth - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(room, x + 14 > room ? x - 14 - this.tip.offsetWidth : x + 14))}px`;
    this.tip.style.top = `${this.svg.getBoundingClientRect().top - this.figure.getBoundingClientRect().top + 20}px`;
    if (speak) this.spoken.textContent = rows.map(row => row.textContent).join('; ');
  }
}
