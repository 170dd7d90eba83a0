import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openState } from '../../../src/state/open-state.js';
import { createSecretBox, SecretBoxError } from '../../../src/state/secret-box.js';
import type { StateStore } from '../../../src/state/store.js';
import { countUnopenable, createSubscriptions } from '../../../src/webhooks/subscriptions.js';
import { openWebhookKey } from '../../../src/webhooks/webhook-key.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const [OWN, OTHER] = [1, 2].map((digit) => Buffer.alloc(32, digit));

async function openEmpty(): Promise<StateStore> {
  const state = await openState(temporaryDirectory());
  onTestFinished(() => state.close());
  return state;
}

const subscribe = (state: StateStore, key: Uint8Array | undefined, secret?: string) =>
  createSubscriptions({
    state,
    secrets: createSecretBox(key),
    policy: { httpsOnly: false, allowedHosts: new Set() },
    now: () => new Date(),
  }).create('owner', { url: 'https://example.org/', events: ['data.updated'], ...(secret && { secret }) });

const keyFiles = ({ directory }: StateStore) => readdirSync(directory).filter((name) => name.endsWith('.key'));

test('a key file is made where no secret is sealed yet, and goes on being used', async () => {
  const state = await openEmpty();
  await subscribe(state, undefined);
  const key = await openWebhookKey(state, undefined);
  expect(key).toHaveLength(32);
  await subscribe(state, key, 'a secret');
  expect(await openWebhookKey(state, undefined)).toEqual(key);
  expect(await openWebhookKey(state, OTHER)).toEqual(OTHER);
});

test('no key is made beside secrets that another one has sealed; until it is there, none is opened or sealed', async () => {
  const state = await openEmpty();
  await subscribe(state, OWN, 'a secret');
  const key = await openWebhookKey(state, undefined);
  expect(key).toBeUndefined();
  expect(keyFiles(state)).toEqual([]);
  expect(await countUnopenable(state, createSecretBox(key))).toBe(1);
  expect(await subscribe(state, key, 'another')).toEqual({ ok: false, code: 'locked' });
  expect(() => createSecretBox(key).seal('another', 'owner')).toThrow(SecretBoxError);
  expect(await subscribe(state, key)).toMatchObject({ ok: true });
  expect(await countUnopenable(state, createSecretBox(OWN))).toBe(0);
});

test('secrets that the present key does not open are counted, subscriptions without a secret are not', async () => {
  const state = await openEmpty();
  await subscribe(state, OWN, 'a secret');
  await subscribe(state, OTHER, 'another');
  await subscribe(state, OTHER, 'a third');
  await subscribe(state, OTHER);
  expect(await countUnopenable(state, createSecretBox(OWN))).toBe(2);
  expect(await countUnopenable(state, createSecretBox(OTHER))).toBe(1);
});
