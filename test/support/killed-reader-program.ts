import { openState } from '../../src/state/open-state.js';

/** A program that reads from a state directory and is killed in the middle of that. */
const [, , directory] = process.argv;
if (directory === undefined) throw new Error('usage: <directory>');

const state = await openState(directory);
await state.read((view) => {
  view.lastId('anything');
  process.kill(process.pid, 'SIGKILL');
});
