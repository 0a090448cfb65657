// Files of statistics, as a runtime would write them.
import { closeSync, openSync, writeSync } from 'node:fs';

const WINDOW = 16384;
const HEAP = 256 << 20;

/** A run of `records` records with scopes down to depth 3, written to `path`. `rename` turns sites into others. */
export function record(path, records, rename = site => site) {
  const file = openSync(path, 'w');
  let text = '';
  const write = line => {
    text += `${JSON.stringify(line).replaceAll('":', '": ').replaceAll(',"', ', "')}\n`;
    if (text.length > 1 << 20) { writeSync(file, text); text = ''; }
  };
  const all = size => [size, size, size, size];
  write({ version: 6, fatal: false, dropped: 0, total: records, task_window_max: all(WINDOW), heap_max: all(HEAP), dep_pool_max: all(WINDOW), tensormap_max: 65536 });
  const rings = [0, 1, 2, 3].map(() => ({ tasks: [0, 0], heap: [0, 0] }));
  let left = records;
  const sample = (site, phase, depth) => {
    const ring = Math.min(depth, 3);
    const { tasks, heap } = rings[ring];
    write({ site: rename(site), phase, depth, ring, task_window_start: tasks[0], task_window_end: tasks[1], heap_start: heap[0], heap_end: heap[1],
      dep_pool_start: 1 + tasks[0], dep_pool_end: 1 + tasks[1], tensormap: tasks[1] % 2000 });
  };
  // Takes memory back when 200 MiB are in use, all but a part that varies.
  const allocate = (depth, bytes) => {
    const { tasks, heap } = rings[depth];
    heap[1] += bytes;
    tasks[1] += 1;
    if (heap[1] - heap[0] > 200 << 20) {
      heap[0] = heap[1] - ((20 + tasks[1] * 37 % 100) << 20);
      tasks[0] = Math.max(tasks[0], tasks[1] - 300);
    }
  };
  const scope = (site, depth, bytes, inner = () => {}) => {
    if (left < 2) return;
    left -= 2;
    sample(site, 'begin', depth);
    allocate(depth, bytes);
    inner();
    sample(site, 'end', depth);
  };
  left -= 2;
  sample('(unknown):0', 'begin', 0);
  for (let layer = 0; left > 0; layer += 1) {
    scope(`prefill_orch.cpp:${100 + layer % 7}`, 1, (1 + layer * 7 % 64) << 14, () => {
      for (let block = 0; block < 6; block += 1) {
        scope(`attention.cpp:${40 + block}`, 2, (1 + (layer * 13 + block * 5) % (1 + layer % 900)) << 14, () => {
          if (block % 3 === 0) scope('moe.cpp:12', 3, (1 + layer * 11 % 64) << 12);
        });
      }
    });
  }
  sample('(unknown):0', 'end', 0);
  writeSync(file, text);
  closeSync(file);
}
