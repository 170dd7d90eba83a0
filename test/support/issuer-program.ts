import { createKeyRegistry } from '../../src/keys/key-registry.js';
import { openState } from '../../src/state/open-state.js';
import { StateError } from '../../src/state/state-error.js';

/**
 * A program that issues keys in a state directory, for tests that kill it: `<directory> [<count>]`. Prints `key <text>` for
 * each key, or `failed <code>` and ends. Without a count it goes on until it is killed or fails.
 */
const [directory, count] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: <directory> [<count>]');

const CONCURRENT = 5;
const total = count === undefined ? Number.POSITIVE_INFINITY : Number(count);
const print = (line: string) => process.stdout.write(`${line}\n`);
const actor = { name: 'issuer', address: 'here', token: '00000000' };
const settings = {
  name: 'a key that fills the disk'.padEnd(200, '.'),
  owner: 'nobody'.padEnd(200, '.'),
  scopes: ['read' as const],
  expiresAt: null,
  rateLimitMax: null,
  disabled: false,
};

try {
  const state = await openState(directory);
  const registry = createKeyRegistry({ state, now: () => new Date() });
  for (let made = 0; made < total; made += CONCURRENT) {
    const size = Math.min(CONCURRENT, total - made);
    const issuing = Array.from({ length: size }, async () =>
      print(`key ${(await registry.issue(settings, actor)).key}`),
    );
    const ends = await Promise.allSettled(issuing);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
  await state.close();
} catch (error) {
  print(`failed ${error instanceof StateError ? error.code : String(error)}`);
}
