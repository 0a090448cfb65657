// A headless Chromium, spoken to over a pipe.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Chromium {
  #calls = new Map();
  #next = 1;

  constructor() {
    this.problems = [];
    this.requests = [];
    this.folder = mkdtempSync(join(tmpdir(), 'pl-browser-'));
    const options = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run', '--disable-dev-shm-usage',
      '--disable-background-networking', '--disable-component-update', '--remote-debugging-pipe', `--user-data-dir=${this.folder}`, 'about:blank'];
    this.process = spawn('chromium', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    let text = '';
    this.process.stdio[4].setEncoding('utf8');
    this.process.stdio[4].on('data', part => {
      const messages = (text + part).split('\0');
      text = messages.pop();
      for (const message of messages) this.#receive(JSON.parse(message));
    });
    this.process.on('exit', code => {
      for (const { reject } of this.#calls.values()) reject(new Error(`chromium ended with ${code}`));
    });
  }

  #receive(message) {
    const call = this.#calls.get(message.id);
    if (call) {
      this.#calls.delete(message.id);
      if (message.error) call.reject(new Error(JSON.stringify(message.error)));
      else call.resolve(message.result);
      return;
    }
    const { method, params } = message;
    if (method === 'Runtime.exceptionThrown') this.problems.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type)) this.problems.push(JSON.stringify(params.args));
    if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level)) this.problems.push(params.entry.text);
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    if (method === 'Page.loadEventFired') this.loaded?.();
  }

  send(method, params = {}) {
    const id = this.#next++;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + '\0');
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
  }

  async start(width, height) {
    const { targetInfos } = await this.send('Target.getTargets');
    const { targetId } = targetInfos.find(target => target.type === 'page');
    this.session = (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.send(`${domain}.enable`);
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  }

  async open(url) {
    this.problems.length = 0;
    this.requests.length = 0;
    const loaded = new Promise(resolve => { this.loaded = resolve; });
    await this.send('Page.navigate', { url });
    await loaded;
    await this.frames();
  }

  /** What an expression gives. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  }

  /** Until what has been asked for is drawn. */
  frames() {
    return this.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }

  async mouse(type, x, y, button = 'none') {
    const pressed = button === 'left' && type !== 'mouseReleased' ? 1 : 0;
    await this.send('Input.dispatchMouseEvent', { type, x, y, button, buttons: pressed, clickCount: 1 });
  }

  async click(x, y) {
    await this.mouse('mousePressed', x, y, 'left');
    await this.mouse('mouseReleased', x, y, 'left');
    await this.frames();
  }

  async key(key, code = key) {
    const text = key.length === 1 ? { text: key } : key === 'Enter' ? { text: '\r' } : {};
    const virtual = { Enter: 13, Escape: 27, ArrowRight: 39, ArrowLeft: 37 }[key];
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, windowsVirtualKeyCode: virtual, ...text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, windowsVirtualKeyCode: virtual });
    await this.frames();
  }

  /** The middle of an element, brought into view. */
  async place(selector) {
    await this.evaluate(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center', behavior: 'instant' })`);
    await this.frames();
    return this.evaluate(`(() => { const r = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return { x: r.x + r.width / 2, y: r.y + r.height / 2, left: r.x, width: r.width }; })()`);
  }

  async picture(options = {}) {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', ...options });
    return Buffer.from(data, 'base64');
  }

  async stop() {
    const ended = new Promise(resolve => this.process.once('exit', resolve));
    this.process.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
