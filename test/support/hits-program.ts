import { createInterface } from 'node:readline';
import { openTallies } from '../../src/processes/memory/tallies.js';

/**
 * A program that hits one key as fast as it can, as one of several processes over inherited memory. Begins when it reads a
 * line, and finally prints the times before and after each accepted hit as JSON. Run by `hits-processes.ts`.
 */
const [processes, index, windowSeconds, limit, durationMs] = process.argv.slice(2).map(Number);
const { hits } = openTallies({
  fd: 3,
  processes: processes ?? 0,
  index: index ?? 0,
  windowSeconds: windowSeconds ?? 0,
});

function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

const input = createInterface({ input: process.stdin });
process.stdout.write('ready\n');
input.once('line', () => {
  const accepted: [beforeMs: number, afterMs: number][] = [];
  const endsAtMs = now() + (durationMs ?? 0);
  for (let beforeMs = now(); beforeMs < endsAtMs; beforeMs = now()) {
    if (!hits.hit('one', limit ?? 0).refused) accepted.push([beforeMs, now()]);
  }
  process.stdout.write(`${JSON.stringify(accepted)}\n`);
  process.stdin.destroy();
});
