import { openState } from '../../src/state/open-state.js';
import { createSecretBox } from '../../src/state/secret-box.js';
import { loadSecretKey } from '../../src/state/secret-key.js';
import { StateError } from '../../src/state/state-error.js';
import { NotStoredError } from '../../src/webhooks/not-stored-error.js';
import { createSubscriptions } from '../../src/webhooks/subscriptions.js';

/**
 * A program that creates subscriptions in a state directory, for tests that kill it: `<directory> <owner> <count>
 * <length of each URL>`. Prints a line for each one, `created <id>` or the code of its refusal (`active-limit`, `limit`);
 * prints `failed <code>` and ends if an error is thrown. With the count `endless` it goes on until it is killed or fails,
 * with a new owner for every ten subscriptions.
 */
const [directory, owner, count, urlLength = '40'] = process.argv.slice(2);
if (directory === undefined || owner === undefined)
  throw new Error('usage: <directory> <owner> [<count> [<url length>]]');

const CONCURRENT = 5;
const print = (line: string) => process.stdout.write(`${line}\n`);
const endless = count === 'endless';
const total = endless ? Number.POSITIVE_INFINITY : Number(count);
const url = 'https://example.org/'.padEnd(Number(urlLength), 'x');

try {
  const state = await openState(directory);
  const secrets = createSecretBox(loadSecretKey(directory, 'webhook-secret.key'));
  const policy = { httpsOnly: false, allowedHosts: new Set<string>() };
  const subscriptions = createSubscriptions({ state, secrets, policy, now: () => new Date() });
  const createOne = async (index: number) => {
    const to = endless ? `${owner}-${Math.floor(index / 10)}` : owner;
    const result = await subscriptions.create(to, { url, events: ['data.updated'], secret: 'a plain secret' });
    print(result.ok ? `created ${result.subscription.id}` : result.code);
  };
  for (let index = 0; index < total; index += CONCURRENT) {
    const size = Math.min(CONCURRENT, total - index);
    await Promise.all(Array.from({ length: size }, (_, offset) => createOne(index + offset)));
  }
  await state.close();
} catch (error) {
  const reason = error instanceof NotStoredError ? error.cause : error;
  print(`failed ${reason instanceof StateError ? reason.code : String(reason)}`);
}
