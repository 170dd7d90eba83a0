import type { StateStore, StateView } from '../state/store.js';
import type { KeyIdentity } from './key-identity.js';
import { type KeyRecord, keyRecords, keyRevisions } from './key-record.js';

/** All issued keys, held in memory so that no request reads a file. */
export interface IssuedKeys {
  /** The number of keys that are not revoked. */
  size(): number;
  /** The number of active keys that expire within this time. O(n). */
  expiringWithin(milliseconds: number): number;
  /** The identity of the key with this SHA-256; undefined if there is none, or it is disabled, expired or revoked. O(1). */
  find(digest: Buffer): KeyIdentity | undefined;
  /** The id of the key with this SHA-256 if it is disabled or expired; undefined if it is revoked, too. O(1). */
  findRefused(digest: Buffer): string | undefined;
  /** Applies the changes that any process has made in the state. */
  refresh(): Promise<void>;
}

export interface IssuedKeysDependencies {
  readonly state: StateStore;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

interface Entry {
  /** The digest as eight integers: contiguous in memory, and compared without a call out of the JavaScript engine. */
  readonly words: Int32Array;
  readonly handle: number;
  readonly identity: KeyIdentity;
  readonly untilMs: number;
  /** The next entry with the same handle. */
  next: Entry | undefined;
}

/** Reads all issued keys once. Rejects with a StateError. */
export async function openIssuedKeys({ state, nowMs }: IssuedKeysDependencies): Promise<IssuedKeys> {
  /** By a number taken from the digest, on which few digests collide; the full digests are then compared. */
  const byHandle = new Map<number, Entry>();
  const entriesById = new Map<string, readonly Entry[]>();
  let revision = 0;

  const forget = (id: string): void => {
    for (const { handle } of entriesById.get(id) ?? []) {
      const others = chainOf(byHandle.get(handle)).filter(({ identity }) => identity.id !== id);
      byHandle.delete(handle);
      for (const other of others) add(other);
    }
    entriesById.delete(id);
  };
  const add = (entry: Entry): void => {
    entry.next = byHandle.get(entry.handle);
    byHandle.set(entry.handle, entry);
  };
  const take = (record: KeyRecord): void => {
    forget(record.id);
    if (record.revokedAt !== null) return;
    const entries = entriesOf(record);
    for (const entry of entries) add(entry);
    entriesById.set(record.id, entries);
  };
  const takeAll = (view: StateView): void => {
    for (const { value: record } of view.range(keyRecords)) {
      take(record);
      revision = Math.max(revision, record.revision);
    }
  };
  const takeChanges = (view: StateView): void => {
    for (const { key, value: id } of view.range(keyRevisions, { after: [revision] })) {
      const record = view.get(keyRecords, [id]);
      if (record) take(record);
      revision = key[0];
    }
  };
  const entryOf = (digest: Buffer): Entry | undefined => {
    for (let entry = byHandle.get(handleOf(digest)); entry; entry = entry.next) {
      if (isSame(entry.words, digest)) return entry;
    }
    return undefined;
  };
  const issued: IssuedKeys = {
    size: () => entriesById.size,
    expiringWithin: (milliseconds) => {
      const now = nowMs();
      let count = 0;
      for (const [newest] of entriesById.values()) {
        // Only the newest text is valid for as long as its key; a disabled key's never is.
        if (newest && newest.untilMs > now && newest.untilMs <= now + milliseconds) count++;
      }
      return count;
    },
    find: (digest) => {
      const entry = entryOf(digest);
      return entry && entry.untilMs > nowMs() ? entry.identity : undefined;
    },
    findRefused: (digest) => {
      const entry = entryOf(digest);
      return entry && entry.untilMs <= nowMs() ? entry.identity.id : undefined;
    },
    refresh: () => state.read(takeChanges),
  };
  await state.read(takeAll);
  return issued;
}

function entriesOf({ id, scopes, rateLimitMax, expiresAt, disabled, secrets }: KeyRecord): Entry[] {
  const identity: KeyIdentity = { id, scopes: new Set(scopes), ...(rateLimitMax === null ? {} : { rateLimitMax }) };
  const lastsMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  const expiresMs = disabled ? Number.NEGATIVE_INFINITY : lastsMs;
  return secrets.map(({ sha256, validUntil }) => {
    const digest = Buffer.from(sha256, 'hex');
    return {
      words: Int32Array.from({ length: WORDS }, (_, at) => digest.readInt32LE(at * 4)),
      handle: handleOf(digest),
      identity,
      untilMs: Math.min(expiresMs, validUntil === null ? Number.POSITIVE_INFINITY : Date.parse(validUntil)),
      next: undefined,
    };
  });
}

/** The number of 32-bit words in a SHA-256. */
const WORDS = 8;

/** The first 48 bits as a number: a map looks up numbers in half the time of strings. */
function handleOf(digest: Buffer): number {
  return digest.readUIntBE(0, 6);
}

/** Takes constant time, wherever the two differ. */
function isSame(words: Int32Array, digest: Buffer): boolean {
  let difference = 0;
  for (let at = 0; at < WORDS; at++) difference |= (words[at] ?? 0) ^ digest.readInt32LE(at * 4);
  return difference === 0;
}

function chainOf(first: Entry | undefined): Entry[] {
  const chain: Entry[] = [];
  for (let entry = first; entry; entry = entry.next) chain.push(entry);
  return chain;
}
