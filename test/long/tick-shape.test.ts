import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';

const BUILT = new URL('../../dist/src/platform/tick-shape.js', import.meta.url).href;

/** How often V8 makes the hidden class of a queued tick, in a process with full collections between its ticks. */
function classesMade(first: string): number {
  const log = join(temporaryDirectory(), 'v8.log');
  const program = `
    import { setTimeout } from 'node:timers/promises';
    import { keepTickShape } from '${BUILT}';
    ${first}
    const ticks = async () => {
      for (let at = 0; at < 100; at++) await new Promise((resolve) => process.nextTick(resolve));
    };
    await ticks();
    for (let at = 0; at < 10; at++) {
      await setTimeout(1);
      gc();
    }
    await ticks();`;
  const flags = ['--expose-gc', '--log-maps', '--no-logfile-per-isolate', `--logfile=${log}`];
  execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', program]);
  // The last field that `nextTick` names by a symbol.
  const made = /^map,Transition,.*symbol\("trigger_async_id_symbol"/;
  return readFileSync(log, 'latin1')
    .split('\n')
    .filter((line) => made.test(line)).length;
}

test('full collections leave the hidden class of queued ticks alone', () => {
  const kept = classesMade('keepTickShape();');
  // Else it would be there for nothing.
  expect(classesMade('')).toBeGreaterThan(kept);
  expect(kept).toBeLessThanOrEqual(1);
});
