import { openState } from '../../src/state/open-state.js';

/** A program that opens and closes a state directory as often as it is told. */
const [directory, times] = process.argv.slice(2);
if (directory === undefined || times === undefined) throw new Error('usage: <directory> <times>');

for (let opened = 0; opened < Number(times); opened++) await (await openState(directory)).close();
