import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { openIssuedKeys } from '../../../src/keys/issued-keys.js';
import { type KeyRecord, keyRecords } from '../../../src/keys/key-record.js';
import { makeKeyText } from '../../../src/keys/key-text.js';
import { createKeyring } from '../../../src/keys/keyring.js';
import { openLiveKeys } from '../../../src/keys/live-keys.js';
import type { StateStore, StateView } from '../../../src/state/store.js';
import { eventually } from '../../support/eventually.js';
import { ACTOR, KEY_SETTINGS, openKeyWorld } from '../../support/keys.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('of 20,000 keys each opens as itself, and a change costs what it changes', async () => {
  const texts = Array.from({ length: 20_000 }, () => makeKeyText());
  const records = texts.map((text, at) => recordOf(text, at));
  const { state, gets } = stateOf(records);
  const issued = await openIssuedKeys({ state, nowMs: Date.now });
  const keyring = createKeyring([], issued);
  expect(issued.size()).toBe(20_000);
  for (let at = 0; at < texts.length; at += 7) expect(keyring.identify(texts[at] ?? '')?.id).toBe(records[at]?.id);

  records[42] = { ...recordOf(texts[42] ?? '', 42), disabled: true, revision: 20_001 };
  await issued.refresh();
  expect(keyring.identify(texts[42] ?? '')).toBeUndefined();
  expect(keyring.identify(texts[43] ?? '')).toBeDefined();
  expect(gets).toHaveBeenCalledTimes(1);
  await issued.refresh();
  expect(gets).toHaveBeenCalledTimes(1);
});

test.each([0, 1])(
  'of two digests that begin alike each is a key of its own, and a third is none: without key %i',
  async (at) => {
    const digestOf = (last: string): string => sha256('any').slice(0, -2) + last;
    const secretsOf = (last: string) => [{ sha256: digestOf(last), validUntil: null }];
    const records: KeyRecord[] = ['01', '02'].map((last, index) => ({
      ...recordOf('', index),
      secrets: secretsOf(last),
    }));
    const ids = records.map(({ id }) => id);
    const issued = await openIssuedKeys({ state: stateOf(records).state, nowMs: Date.now });
    const found = () => ['01', '02', '03'].map((last) => issued.find(Buffer.from(digestOf(last), 'hex'))?.id);
    expect(found()).toEqual([...ids, undefined]);

    records[at] = { ...recordOf('', at), disabled: true, revision: 3 };
    await issued.refresh();
    expect(found()).toEqual(at === 0 ? [undefined, ids[1], undefined] : [ids[0], undefined, undefined]);
  },
);

test('a key opens until the moment at which it expires, and not in it', async () => {
  const expiresAt = '2026-02-01T00:00:00.000Z';
  let now = Date.parse(expiresAt) - 1;
  const issued = await openIssuedKeys({
    state: stateOf([{ ...recordOf('any', 0), expiresAt }]).state,
    nowMs: () => now,
  });
  const find = () => issued.find(Buffer.from(sha256('any'), 'hex'))?.id;
  expect(find()).toBe(recordOf('any', 0).id);
  now += 1;
  expect(find()).toBeUndefined();
});

test('a key is refused by name only while it has expired or is disabled', async () => {
  const world = await openKeyWorld();
  const { registry, keyring, issued } = world;
  const expiresAt = new Date(world.now().getTime() + 1000).toISOString();
  const { id, key } = await registry.issue({ ...KEY_SETTINGS, expiresAt }, ACTOR);
  const refused = async (): Promise<string | undefined> => {
    await issued.refresh();
    return keyring.identify(key) ? 'opens' : keyring.findRefused(key);
  };
  expect(await refused()).toBe('opens');
  expect(keyring.findRefused(key)).toBeUndefined();
  world.advance(1);
  expect(await refused()).toBe(id);
  await registry.update(id, { expiresAt: null }, ACTOR);
  expect(await refused()).toBe('opens');
  await registry.update(id, { disabled: true }, ACTOR);
  expect(await refused()).toBe(id);
  expect(keyring.findRefused(makeKeyText())).toBeUndefined();
  await registry.revoke(id, ACTOR);
  expect(await refused()).toBeUndefined();
  await world.close();
});

test('a refresh that failed does not fail those after it', async () => {
  const { state } = stateOf([recordOf('any', 0)]);
  const issued = await openIssuedKeys({ state, nowMs: Date.now });
  vi.spyOn(state, 'read').mockRejectedValueOnce(new Error('no state'));
  await expect(issued.refresh()).rejects.toThrow('no state');
  await issued.refresh();
});

test('a digest that differs in any one byte is no key’s', async () => {
  const issued = await openIssuedKeys({ state: stateOf([recordOf('any', 0)]).state, nowMs: Date.now });
  const digest = Buffer.from(sha256('any'), 'hex');
  expect(issued.find(digest)?.id).toBe(recordOf('any', 0).id);
  for (const [at, byte] of digest.entries()) {
    const other = Buffer.from(digest);
    other[at] = byte ^ 1;
    expect(issued.find(other)).toBeUndefined();
  }
});

function recordOf(text: string, at: number): KeyRecord {
  return {
    ...KEY_SETTINGS,
    id: at.toString(16).padStart(16, '0'),
    createdAt: '2026-01-01T00:00:00.000Z',
    rotatedAt: null,
    revokedAt: null,
    secrets: [{ sha256: sha256(text), validUntil: null }],
    revision: at + 1,
  };
}

/** A state of these records alone, which counts what is read one by one: a real one takes a while for so many. */
function stateOf(records: readonly KeyRecord[]) {
  const gets = vi.fn((id: string) => records.find((record) => record.id === id));
  function* range(
    collection: { readonly name: string },
    { after = [0] }: { readonly after?: readonly unknown[] } = {},
  ) {
    for (const record of records) {
      if (collection.name === keyRecords.name) yield { key: [record.id], value: record };
      else if (record.revision > Number(after[0])) yield { key: [record.revision], value: record.id };
    }
  }
  const view = { range, get: (_: unknown, [id]: readonly [string]) => gets(id) };
  // The two methods that issued keys are read by.
  const read = (work: (view: StateView) => unknown) => Promise.resolve(work(view as unknown as StateView));
  return { state: { read } as unknown as StateStore, gets };
}

test('what another process has changed, all of it, is known after the next look, and a look that fails is told once', async () => {
  const world = await openKeyWorld();
  const told = vi.fn();
  // Those of another process.
  const others = await openLiveKeys({
    state: world.state,
    entries: [],
    nowMs: () => world.now().getTime(),
    onError: told,
  });
  const { keyring } = others;
  const first = await world.registry.issue(KEY_SETTINGS, ACTOR);
  const second = await world.registry.issue(KEY_SETTINGS, ACTOR);
  const revoked = await world.registry.issue(KEY_SETTINGS, ACTOR);
  const rotated = await world.registry.rotate(second.id, 60, ACTOR);
  await world.registry.revoke(revoked.id, ACTOR);
  await eventually(() => expect(keyring.identify(rotated.key)).toBeDefined());
  for (const { key } of [first, second]) expect(keyring.identify(key)).toBeDefined();
  expect(keyring.identify(revoked.key)).toBeUndefined();
  expect(told).not.toHaveBeenCalled();

  const read = vi.spyOn(world.state, 'read').mockRejectedValue(new Error('no state'));
  await eventually(() => expect(read.mock.calls.length).toBeGreaterThan(3));
  await others.close();
  expect(told.mock.calls).toEqual([[expect.any(Error), 'keys-unread']]);
  await world.close();
});

test('of the keys that expire soon, those count that are active, each once however many of its texts are valid', async () => {
  const world = await openKeyWorld();
  const day = 86_400;
  const inDays = (days: number): string => new Date(world.now().getTime() + days * day * 1000).toISOString();
  const issue = (days: number) => world.registry.issue({ ...KEY_SETTINGS, expiresAt: inDays(days) }, ACTOR);
  const soon = async (): Promise<number> => {
    await world.issued.refresh();
    return world.issued.expiringWithin(14 * day * 1000);
  };
  await world.registry.issue(KEY_SETTINGS, ACTOR);
  const [one, revoked, disabled] = [await issue(14), await issue(7), await issue(7)];
  await issue(15);
  expect(await soon()).toBe(3);
  await world.registry.revoke(revoked.id, ACTOR);
  await world.registry.update(disabled.id, { disabled: true }, ACTOR);
  await world.registry.rotate(one.id, day, ACTOR);
  expect(await soon()).toBe(1);
  world.advance(day);
  expect(await soon()).toBe(2);
  world.advance(13 * day);
  expect(await soon()).toBe(1);
  world.advance(day);
  expect(await soon()).toBe(0);
  await world.close();
});

test('a malformed key is refused before anything is looked up', () => {
  const find = vi.fn();
  const keyring = createKeyring([], { size: () => 1, find, findRefused: find });
  const key = makeKeyText();
  for (const text of ['', 'tc_live_', `${key}1`, key.slice(1), key.toUpperCase(), 'demo-key']) {
    keyring.identify(text);
    keyring.findRefused(text);
  }
  expect(find).not.toHaveBeenCalled();
  keyring.identify(key);
  expect(find).toHaveBeenCalledTimes(1);
});

test('keys of the configuration open beside issued ones, even one that looks like them', async () => {
  const world = await openKeyWorld();
  const lookalike = makeKeyText();
  const keyring = createKeyring(['plain', lookalike], world.issued);
  const { id, key } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  await world.issued.refresh();
  expect(keyring.identify('plain')).toBeDefined();
  expect(keyring.identify(lookalike)).toBeDefined();
  expect(keyring.identify(key)?.id).toBe(id);
  expect(keyring.size).toBe(3);
  await world.close();
});
