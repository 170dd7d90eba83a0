import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readAudit } from '../../../src/audit/audit-log.js';
import { keyRecords, keyRevisions } from '../../../src/keys/key-record.js';
import { createKeyRegistry } from '../../../src/keys/key-registry.js';
import { MAX_VALID_TEXTS } from '../../../src/keys/rotate-secrets.js';
import type { StateStore } from '../../../src/state/store.js';
import { ACTOR, KEY, KEY_SETTINGS, type KeyWorld, openKeyWorld } from '../../support/keys.js';

const DAY_SECONDS = 86_400;
let world: KeyWorld;

beforeEach(async () => {
  world = await openKeyWorld();
});
afterEach(() => world.close());

const audit = () => world.state.read((view) => readAudit(view, { limit: 100 }));
/** Whose key a text is, after what has changed is known. */
async function ownerOf(text: string): Promise<string | undefined> {
  await world.issued.refresh();
  return world.keyring.identify(text)?.id;
}

test('an issued key opens, with its scopes and its own limit', async () => {
  const settings = { ...KEY_SETTINGS, scopes: ['read' as const], rateLimitMax: 600 };
  const { id, key, status } = await world.registry.issue(settings, ACTOR);
  expect(status).toBe('active');
  await world.issued.refresh();
  expect(world.keyring.identify(key)).toEqual({ id, scopes: new Set(['read']), rateLimitMax: 600 });
});

test('neither the state nor the audit log holds a key’s text, and the log not even its digest', async () => {
  const { id, key } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  const rotated = await world.registry.rotate(id, 60, ACTOR);
  const everything = await world.state.dump((records) => JSON.stringify([...records]));
  const digest = createHash('sha256').update(key).digest('hex');
  expect(everything).toContain(digest);
  for (const text of [key, rotated.key]) expect(everything).not.toContain(text.slice(8));
  expect(JSON.stringify(await audit())).not.toContain(digest);
  expect(JSON.stringify([await world.registry.get(id), await world.registry.list({ limit: 10 })])).not.toContain(
    digest,
  );
});

test('keys are listed in the order of their making, page by page', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    ids.push((await world.registry.issue({ ...KEY_SETTINGS, name }, ACTOR)).id);
    world.advance(1);
  }
  const first = await world.registry.list({ limit: 2 });
  const second = await world.registry.list({ after: first[1]?.id, limit: 10 });
  expect([...first, ...second].map(({ id }) => id)).toEqual(ids);
});

test('a key never takes the id of another', async () => {
  const taken: string[] = [];
  /** Lets another key have the first id that is looked up, as a second random number may. */
  const transact: StateStore['transact'] = (work, options) =>
    world.state.transact((transaction) => {
      const get: typeof transaction.get = (collection, key) => {
        const id = String(key[0]);
        if (taken.length === 0) transaction.put(keyRecords, [id], { ...KEY, id, name: 'another' });
        taken.push(id);
        return transaction.get(collection, key);
      };
      return work({ ...transaction, get });
    }, options);
  const registry = createKeyRegistry({ state: { ...world.state, transact }, now: world.now });
  const { id } = await registry.issue(KEY_SETTINGS, ACTOR);
  expect(taken[0]).not.toBe(id);
  expect((await world.registry.list({ limit: 10 })).map(({ name }) => name).sort()).toEqual(['Acme EHR', 'another']);
});

describe('a key that must not open does not', () => {
  test('once it has expired, without anything being written', async () => {
    const expiresAt = new Date(world.now().getTime() + 90 * DAY_SECONDS * 1000).toISOString();
    const { id, key } = await world.registry.issue({ ...KEY_SETTINGS, expiresAt }, ACTOR);
    world.advance(90 * DAY_SECONDS - 1);
    expect(await ownerOf(key)).toBe(id);
    world.advance(1);
    expect(world.keyring.identify(key)).toBeUndefined();
    expect((await world.registry.get(id)).status).toBe('expired');
  });

  test('while it is disabled; enabled again, it does', async () => {
    const { id, key } = await world.registry.issue(KEY_SETTINGS, ACTOR);
    expect(await world.registry.update(id, { disabled: true }, ACTOR)).toMatchObject({ status: 'disabled' });
    expect(await ownerOf(key)).toBeUndefined();
    await world.registry.update(id, { disabled: false }, ACTOR);
    expect(await ownerOf(key)).toBe(id);
  });

  test('once it is revoked, for good', async () => {
    const { id, key } = await world.registry.issue(KEY_SETTINGS, ACTOR);
    const revoked = await world.registry.revoke(id, ACTOR);
    expect(revoked).toMatchObject({ status: 'revoked', revokedAt: world.now().toISOString() });
    expect(await ownerOf(key)).toBeUndefined();
    expect(world.issued.size()).toBe(0);
    const refused = { code: 'key-revoked' };
    await expect(world.registry.update(id, { disabled: false }, ACTOR)).rejects.toMatchObject(refused);
    await expect(world.registry.rotate(id, 0, ACTOR)).rejects.toMatchObject(refused);
  });

  test('when it was never issued, however well formed', async () => {
    const other = await openKeyWorld();
    const { key } = await other.registry.issue(KEY_SETTINGS, ACTOR);
    await other.close();
    expect(await ownerOf(key)).toBeUndefined();
  });
});

describe('rotation', () => {
  test('lets old and new text overlap, then only the new one opens; the owner’s id stays', async () => {
    const { id, key } = await world.registry.issue(KEY_SETTINGS, ACTOR);
    const rotated = await world.registry.rotate(id, 3600, ACTOR);
    expect(rotated.id).toBe(id);
    expect(rotated.overlapUntil).toBe(new Date(world.now().getTime() + 3_600_000).toISOString());
    expect(await ownerOf(key)).toBe(id);
    expect(await ownerOf(rotated.key)).toBe(id);
    world.advance(3600);
    expect(world.keyring.identify(key)).toBeUndefined();
    expect(world.keyring.identify(rotated.key)?.id).toBe(id);
    expect((await world.registry.get(id)).overlapUntil).toBeNull();
  });

  test('without an overlap ends the old text at once', async () => {
    const { id, key } = await world.registry.issue(KEY_SETTINGS, ACTOR);
    const rotated = await world.registry.rotate(id, 0, ACTOR);
    expect(await ownerOf(key)).toBeUndefined();
    expect(await ownerOf(rotated.key)).toBe(id);
  });

  test('takes nothing from the time that an older text was given, unless it is to end at once', async () => {
    const { id, key } = await world.registry.issue(KEY_SETTINGS, ACTOR);
    const second = await world.registry.rotate(id, 10_000, ACTOR);
    const { overlapUntil } = await world.registry.rotate(id, 10, ACTOR);
    expect(overlapUntil).toBe(second.overlapUntil);
    world.advance(10);
    expect(await ownerOf(key)).toBe(id);
    expect(world.keyring.identify(second.key)).toBeUndefined();
    await world.registry.rotate(id, 0, ACTOR);
    expect(await ownerOf(key)).toBeUndefined();
  });

  test('gives older texts a longer overlap, too, but none back that has ended', async () => {
    const { id, key } = await world.registry.issue(KEY_SETTINGS, ACTOR);
    const second = await world.registry.rotate(id, 10, ACTOR);
    world.advance(5);
    await world.registry.rotate(id, 100, ACTOR);
    world.advance(50);
    expect(await ownerOf(key)).toBe(id);
    world.advance(50);
    await world.registry.rotate(id, 100, ACTOR);
    expect([await ownerOf(key), await ownerOf(second.key)]).toEqual([undefined, undefined]);
  });

  test('is refused while as many texts are valid as may be', async () => {
    const { id } = await world.registry.issue(KEY_SETTINGS, ACTOR);
    for (let texts = 1; texts < MAX_VALID_TEXTS; texts++) await world.registry.rotate(id, 60, ACTOR);
    await expect(world.registry.rotate(id, 60, ACTOR)).rejects.toMatchObject({
      code: 'too-many-overlaps',
      message: expect.stringContaining(`${MAX_VALID_TEXTS} texts of this key are valid, as many as may be`),
    });
    world.advance(60);
    await world.registry.rotate(id, 60, ACTOR);
  });
});

test('every change is in the audit log, with who, when, what, before and after; what changed nothing is not', async () => {
  const { id } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  await world.registry.update(id, { name: 'Acme', rateLimitMax: 5 }, ACTOR);
  await world.registry.update(id, { name: 'Acme' }, ACTOR);
  await world.registry.rotate(id, 0, ACTOR);
  await world.registry.revoke(id, ACTOR);
  await world.registry.revoke(id, ACTOR);
  const entries = await audit();
  expect(entries.map(({ action }) => action)).toEqual(['keys.revoke', 'keys.rotate', 'keys.update', 'keys.issue']);
  for (const entry of entries) {
    expect(entry).toMatchObject({ actor: ACTOR, target: id, at: world.now().toISOString(), outcome: 'done' });
  }
  expect(entries[3]).toMatchObject({ before: null, after: { name: 'Acme EHR', rateLimitMax: null } });
  expect(entries[2]).toMatchObject({
    before: { name: 'Acme EHR', rateLimitMax: null },
    after: { name: 'Acme', rateLimitMax: 5 },
  });
  expect(entries[0]).toMatchObject({ before: { revokedAt: null }, after: { revokedAt: world.now().toISOString() } });
});

test('a rotation is in the audit log with the time until which the old text opens', async () => {
  const { id } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  const { overlapUntil } = await world.registry.rotate(id, 3600, ACTOR);
  world.advance(60);
  await world.registry.rotate(id, 0, ACTOR);
  const [atOnce, overlapping] = await audit();
  expect(overlapUntil).not.toBeNull();
  expect(overlapping).toMatchObject({ before: { overlapUntil: null }, after: { overlapUntil } });
  expect(atOnce).toMatchObject({ before: { overlapUntil }, after: { overlapUntil: null } });
});

test('the state no longer holds the digests of a key that is revoked', async () => {
  const { id, key } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  await world.registry.revoke(id, ACTOR);
  const everything = await world.state.dump((records) => JSON.stringify([...records]));
  expect(everything).not.toContain(createHash('sha256').update(key).digest('hex'));
});

test('the space for what must be possible on a full disk is for changes of keys, not for new ones', async () => {
  const transactions = vi.spyOn(world.state, 'transact');
  const { id } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  await world.registry.update(id, { disabled: true }, ACTOR);
  await world.registry.rotate(id, 0, ACTOR);
  await world.registry.revoke(id, ACTOR);
  const urgent = { isUrgent: true };
  expect(transactions.mock.calls.map(([, options]) => options)).toEqual([undefined, urgent, urgent, urgent]);
});

test('a key has one revision, that of its last change', async () => {
  const { id } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  await world.registry.issue(KEY_SETTINGS, ACTOR);
  await world.registry.update(id, { disabled: true }, ACTOR);
  const revisions = await world.state.read((view) => Array.from(view.range(keyRevisions), ({ key }) => key[0]));
  expect(revisions).toEqual([2, 3]);
});

test('a key that has expired may be renamed, but no expiry set that is not ahead', async () => {
  const expiresAt = new Date(world.now().getTime() + 1000).toISOString();
  const { id } = await world.registry.issue({ ...KEY_SETTINGS, expiresAt }, ACTOR);
  world.advance(2);
  expect(await world.registry.update(id, { name: 'former' }, ACTOR)).toMatchObject({ name: 'former', expiresAt });
  const now = { expiresAt: world.now().toISOString() };
  await expect(world.registry.update(id, now, ACTOR)).rejects.toMatchObject({ code: 'expiry-passed' });
});

test('a change that is refused leaves key and log as they were', async () => {
  const { id } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  const before = [await world.registry.get(id), await audit()];
  const past = new Date(world.now().getTime() - 1).toISOString();
  await expect(world.registry.update(id, { expiresAt: past }, ACTOR)).rejects.toMatchObject({ code: 'expiry-passed' });
  await expect(world.registry.issue({ ...KEY_SETTINGS, expiresAt: past }, ACTOR)).rejects.toThrow('is in the past');
  await expect(world.registry.get('0000000000000000')).rejects.toMatchObject({ code: 'key-not-found' });
  expect([await world.registry.get(id), await audit()]).toEqual(before);
});

test('two maintainers at once: each change stands, and the log tells both', async () => {
  const { id, key } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  const other = { ...ACTOR, name: 'another' };
  const [first, second] = await Promise.all([
    world.registry.rotate(id, 60, ACTOR),
    world.registry.rotate(id, 60, other),
    world.registry.update(id, { name: 'one' }, ACTOR),
    world.registry.update(id, { owner: 'two' }, other),
  ]);
  for (const text of [key, first.key, second.key]) expect(await ownerOf(text)).toBe(id);
  expect(await world.registry.get(id)).toMatchObject({ name: 'one', owner: 'two' });
  expect(new Set((await audit()).map(({ actor }) => actor.name))).toEqual(new Set(['maintainer', 'another']));
});
