import { openState } from '../../src/state/open-state.js';

/** A program that repeatedly opens and closes a state directory for a time, then prints how often it did. */
const [directory, durationMs] = process.argv.slice(2);
if (directory === undefined || durationMs === undefined) throw new Error('usage: <directory> <milliseconds>');

const end = performance.now() + Number(durationMs);
let opened = 0;
while (performance.now() < end) {
  await (await openState(directory)).close();
  opened++;
}
process.stdout.write(`${opened}\n`);
