// Uses the pages of `pl scope-stats --html` as a person would. `check.mjs PL FOLDER`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Chromium } from './chromium.mjs';
import { record } from './recordings.mjs';

const [pl, folder] = process.argv.slice(2);
const browser = new Chromium();
const at = name => resolve(folder, name);

function page(name, records, rename) {
  record(at(`${name}.jsonl`), records, rename);
  const { status, stderr } = spawnSync(pl, ['scope-stats', at(`${name}.jsonl`), '--html', at(`${name}.html`)], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  rmSync(at(`${name}.jsonl`));
  return `file://${at(`${name}.html`)}`;
}

const column = (table, number) => browser.evaluate(`[...document.querySelectorAll('${table} tbody tr')].map(row => row.cells[${number}].textContent)`);
const tip = () => browser.evaluate(`[...document.querySelectorAll('.tip')].filter(tip => !tip.hidden).map(tip => tip.textContent).join()`);
const FIGURE = '#resources section:nth-child(2) details:nth-of-type(2) figure:first-child';
const CHART = `${FIGURE} svg`;

async function isQuiet() {
  assert.deepEqual(browser.problems, []);
  assert.deepEqual(browser.requests.filter(url => !url.startsWith('file:') && !url.startsWith('data:')), []);
}

const checks = {
  async 'charts of every ring are drawn'() {
    await browser.open(page('small', 600));
    assert.equal(await browser.evaluate(`document.querySelectorAll('#resources section').length`), 4);
    const drawn = `[...document.querySelectorAll('details[open] svg')].map(svg => svg.querySelectorAll('.line').length)`;
    const lines = await browser.evaluate(drawn);
    assert.equal(lines.length, 3 * 3 * 2 + 1);
    assert.ok(lines.every(number => number > 0), lines.join());
    await isQuiet();
  },
  async 'the head of a column sorts, again the other way'() {
    const { x, y } = await browser.place('#peaks th:nth-child(8) button');
    const percents = async () => (await column('#peaks', 7)).map(parseFloat);
    await browser.click(x, y);
    const falling = await percents();
    assert.deepEqual(falling, falling.toSorted((a, b) => b - a));
    assert.ok(falling[0] > falling.at(-1));
    await browser.click(x, y);
    assert.deepEqual(await percents(), falling.toSorted((a, b) => a - b));
    assert.equal(await browser.evaluate(`document.querySelector('#peaks th:nth-child(8)').ariaSort`), 'ascending');
  },
  async 'hovering shows values, share and site'() {
    const { left, width, y } = await browser.place(CHART);
    assert.equal(await tip(), '');
    await browser.mouse('mouseMoved', left + width * 0.6, y);
    await browser.frames();
    assert.match(await tip(), /^Scope \d+High water [\d.]+ MiB \(\d+\.\d\d %\)Live at exit .*prefill_orch\.cpp:10\d$/);
    writeFileSync(at('hover.png'), await browser.picture());
    await browser.mouse('mouseMoved', 2, 2);
    await browser.frames();
    assert.equal(await tip(), '');
  },
  async 'dragging zooms and the button goes back'() {
    const labels = () => browser.evaluate(`[...document.querySelectorAll('${CHART} text')].map(text => text.textContent).filter(text => text.startsWith('scope'))`);
    const { left, width, y } = await browser.place(CHART);
    assert.deepEqual(await labels(), ['scope 1']);
    await browser.mouse('mousePressed', left + width * 0.5, y, 'left');
    await browser.mouse('mouseMoved', left + width * 0.7, y, 'left');
    await browser.mouse('mouseReleased', left + width * 0.7, y, 'left');
    await browser.frames();
    assert.notDeepEqual(await labels(), ['scope 1']);
    const button = await browser.place(`${FIGURE} figcaption button`);
    await browser.click(button.x, button.y);
    assert.deepEqual(await labels(), ['scope 1']);
  },
  async 'keys read, zoom, enlarge and close'() {
    await browser.evaluate(`document.querySelector('${CHART}').focus()`);
    await browser.key('ArrowRight');
    await browser.key('ArrowRight');
    assert.match(await tip(), /^Scope 2High water/);
    assert.match(await browser.evaluate(`document.querySelector('${FIGURE} [aria-live]').textContent`), /^Scope 2; High water/);
    await browser.key('+');
    assert.equal(await browser.evaluate(`document.querySelector('${FIGURE} figcaption button').hidden`), false);
    await browser.key('0');
    await browser.key('Enter');
    assert.equal(await browser.evaluate(`document.querySelector('dialog').open`), true);
    assert.equal(await browser.evaluate(`document.activeElement.matches('dialog svg')`), true);
    writeFileSync(at('large.png'), await browser.picture());
    await browser.key('Escape');
    assert.equal(await browser.evaluate(`document.querySelector('dialog').open`), false);
  },
  async 'sites can be filtered'() {
    await browser.place('#sites input');
    await browser.evaluate(`document.querySelector('#sites input').focus()`);
    await browser.send('Input.insertText', { text: 'MOE' });
    const shown = `[...document.querySelectorAll('#sites tbody tr')].filter(row => !row.hidden).map(row => row.cells[0].textContent)`;
    assert.deepEqual(await browser.evaluate(shown), ['moe.cpp:12']);
  },
  async 'it is dark where the system is, or the reader wants'() {
    const ground = () => browser.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await browser.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
    const dark = await ground();
    assert.notEqual(light, dark);
    const theme = await browser.place('#theme');
    await browser.click(theme.x, theme.y);
    assert.equal(await ground(), light);
    await browser.click(theme.x, theme.y);
    await browser.send('Emulation.setEmulatedMedia', { features: [] });
    assert.equal(await ground(), dark);
    writeFileSync(at('dark.png'), await browser.picture({ captureBeyondViewport: true, clip: { x: 0, y: 0, width: 1300, height: 1800, scale: 1 } }));
    await isQuiet();
  },
  async 'it prints'() {
    await browser.send('Emulation.setEmulatedMedia', { media: 'print' });
    await browser.frames();
    const shown = selector => browser.evaluate(`[...document.querySelectorAll('${selector}')].filter(element => element.checkVisibility()).length`);
    assert.equal(await shown('button'), await shown('th button'), 'only heads of columns are left of the buttons');
    assert.equal(await shown('svg'), 19);
    assert.ok(await shown('svg .line') >= 19);
    const { data } = await browser.send('Page.printToPDF', { printBackground: true });
    await browser.send('Emulation.setEmulatedMedia', { media: '' });
    const pdf = Buffer.from(data, 'base64');
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    writeFileSync(at('print.pdf'), pdf);
  },
  async 'it fits a narrow window'() {
    await browser.send('Emulation.setDeviceMetricsOverride', { width: 420, height: 900, deviceScaleFactor: 1, mobile: false });
    await browser.frames();
    assert.equal(await browser.evaluate('document.documentElement.scrollWidth'), 420);
    await browser.send('Emulation.setDeviceMetricsOverride', { width: 1300, height: 1000, deviceScaleFactor: 1, mobile: false });
  },
  async 'markup in sites is text'() {
    const attack = '<img src=x onerror="window.attacked=1"></script><script>window.attacked=1</script>';
    await browser.open(page('hostile', 40, site => attack + site));
    assert.equal(await browser.evaluate('window.attacked'), undefined);
    assert.ok((await column('#sites', 0)).every(site => site.startsWith(attack)));
    await isQuiet();
  },
  async 'a million records stay usable'() {
    await browser.open(page('million', 1_000_000));
    assert.ok(statSync(at('million.html')).size < 4 << 20, 'the page is small');
    assert.ok(await browser.evaluate('document.querySelectorAll("*").length') < 20_000, 'so is its tree');
    assert.match(await browser.evaluate(`document.querySelector('#resources').textContent`), /Each point stands for \d+ consecutive scopes/);
    const { left, width, y } = await browser.place(CHART);
    await browser.mouse('mouseMoved', left + width * 0.4, y);
    await browser.frames();
    assert.match(await tip(), /^Scopes [\d,]+–[\d,]+High water .* to .*most in scope [\d,]+/);
    await browser.evaluate('scrollTo(0, 0)');
    writeFileSync(at('million.png'), await browser.picture({ captureBeyondViewport: true, clip: { x: 0, y: 0, width: 1300, height: 2600, scale: 1 } }));
    await isQuiet();
  },
};

let failed = 0;
try {
  await browser.start(1300, 1000);
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      console.log(`ok   ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name}\n${error.stack}`);
    }
  }
} finally {
  await browser.stop();
}
console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
