import { hash, randomBytes } from 'node:crypto';
import { type Actor, recordAudit } from '../audit/audit-log.js';
import type { StateStore, StateView, Transaction } from '../state/store.js';
import { KeyError } from './key-error.js';
import { type KeyRecord, type KeySettings, keyRecords, keyRevisions } from './key-record.js';
import { makeKeyText } from './key-text.js';
import { type KeyView, overlapUntil, viewOf } from './key-view.js';
import { rotateSecrets } from './rotate-secrets.js';

/** A key with its text, which is returned only this once. */
export interface IssuedKey extends KeyView {
  readonly key: string;
}

/**
 * The keys that maintainers issue. A change and its audit entry are stored together or not at all, and an acknowledged
 * change is on disk. All methods fail with a StateError if the state does, and throw {@link KeyError}.
 */
export interface KeyRegistry {
  issue(settings: KeySettings, actor: Actor): Promise<IssuedKey>;
  /** Keys by creation time, starting after the id `after`. */
  list(page: { readonly after?: string | undefined; readonly limit: number }): Promise<KeyView[]>;
  get(id: string): Promise<KeyView>;
  /** Settings that are left out stay as they are. */
  update(id: string, changes: Partial<KeySettings>, actor: Actor): Promise<KeyView>;
  /**
   * Gives the key a new text. The old texts stay valid for `overlapSeconds`, or longer if an earlier rotation promised that;
   * 0 ends them all at once. The key keeps everything it owns.
   */
  rotate(id: string, overlapSeconds: number, actor: Actor): Promise<IssuedKey>;
  /** Revokes the key for good. The record is kept for the log and for what the key owned. Revoking twice has no effect. */
  revoke(id: string, actor: Actor): Promise<KeyView>;
}

export interface KeyRegistryDependencies {
  readonly state: StateStore;
  readonly now: () => Date;
  /** The ids of the keys in the configuration. They have no record, and an error about one says so. */
  readonly configuredKeys?: readonly string[];
}

export function createKeyRegistry({ state, now, configuredKeys = [] }: KeyRegistryDependencies): KeyRegistry {
  const found = (view: StateView, id: string): KeyRecord => {
    const record = view.get(keyRecords, [id]);
    if (record) return record;
    const why = configuredKeys.includes(id)
      ? `the key ${id} is set in API_KEYS and was not issued; change it there`
      : `there is no key with the id ${id}`;
    throw new KeyError('key-not-found', why);
  };
  // A key whose text has leaked must be closed also on a full disk.
  const change = (id: string, action: string, actor: Actor, edit: (key: KeyRecord, at: Date) => KeyEdit) =>
    state.transact(
      (transaction) => {
        const at = now();
        const old = found(transaction, id);
        const edited = edit(old, at);
        if (edited === undefined) return viewOf(transaction, old, at);
        const before = auditedOf(old, at);
        transaction.remove(keyRevisions, [old.revision]);
        store(transaction, { ...old, ...edited }, { at, actor, action, before });
        return viewOf(transaction, found(transaction, id), at);
      },
      { isUrgent: true },
    );
  return {
    issue: async (settings, actor) => {
      const key = makeKeyText();
      const stored = await state.transact((transaction) => {
        const at = now();
        assertAhead(settings.expiresAt, at);
        const record = newRecord(freeId(transaction, at), settings, hash('sha256', key), at);
        store(transaction, record, { at, actor, action: 'keys.issue', before: null });
        return viewOf(transaction, record, at);
      });
      return { ...stored, key };
    },
    list: ({ after, limit }) =>
      state.read((view) => {
        const page = view.range(keyRecords, { after: after === undefined ? undefined : [after], limit });
        return Array.from(page, ({ value }) => viewOf(view, value, now()));
      }),
    get: (id) => state.read((view) => viewOf(view, found(view, id), now())),
    update: (id, changes, actor) =>
      change(id, 'keys.update', actor, (key, at) => {
        assertNotRevoked(key);
        const [before, after] = [settingsOf(key), settingsOf({ ...key, ...changes })];
        if (after.expiresAt !== before.expiresAt) assertAhead(after.expiresAt, at);
        return JSON.stringify(before) === JSON.stringify(after) ? undefined : changes;
      }),
    rotate: async (id, overlapSeconds, actor) => {
      const key = makeKeyText();
      const rotated = await change(id, 'keys.rotate', actor, (old, at) => {
        assertNotRevoked(old);
        return { rotatedAt: at.toISOString(), secrets: rotateSecrets(old, hash('sha256', key), at, overlapSeconds) };
      });
      return { ...rotated, key };
    },
    revoke: (id, actor) =>
      change(id, 'keys.revoke', actor, ({ revokedAt }, at) =>
        revokedAt === null ? { revokedAt: at.toISOString(), secrets: [] } : undefined,
      ),
  };
}

/** The fields to change; undefined if the key already is as asked. */
type KeyEdit = Partial<KeyRecord> | undefined;

interface Change {
  readonly at: Date;
  readonly actor: Actor;
  readonly action: string;
  readonly before: Parameters<typeof recordAudit>[1]['before'];
}

/** Stores a key with a new revision, and the change in the audit log. */
function store(transaction: Transaction, record: KeyRecord, { at, actor, action, before }: Change): void {
  const revision = transaction.nextId(keyRevisions.name);
  transaction.put(keyRevisions, [revision], record.id);
  transaction.put(keyRecords, [record.id], { ...record, revision });
  recordAudit(transaction, { actor, action, target: record.id, before, after: auditedOf(record, at) }, at);
}

function settingsOf({ name, owner, scopes, expiresAt, rateLimitMax, disabled, rotatedAt }: KeyRecord) {
  return { name, owner, scopes, expiresAt, rateLimitMax, disabled, rotatedAt };
}

/** A key as the audit log shows it: neither text nor digest. */
function auditedOf(record: KeyRecord, at: Date) {
  return { ...settingsOf(record), overlapUntil: overlapUntil(record, at), revokedAt: record.revokedAt };
}

function newRecord(id: string, settings: KeySettings, sha256: string, at: Date): KeyRecord {
  return {
    ...settings,
    id,
    createdAt: at.toISOString(),
    rotatedAt: null,
    revokedAt: null,
    secrets: [{ sha256, validUntil: null }],
    // A placeholder; storing the record assigns the real one.
    revision: 1,
  };
}

function assertNotRevoked({ id, revokedAt }: KeyRecord): void {
  if (revokedAt !== null) throw new KeyError('key-revoked', `the key ${id} was permanently revoked at ${revokedAt}`);
}

function assertAhead(expiresAt: string | null, at: Date): void {
  if (expiresAt === null || Date.parse(expiresAt) > at.getTime()) return;
  throw new KeyError('expiry-passed', `the expiry ${expiresAt} is in the past`);
}

/** 11 hexadecimal digits of time, so that ids sort by creation, and 5 random ones. */
function freeId(view: StateView, at: Date): string {
  for (;;) {
    const time = at.getTime().toString(16).padStart(11, '0');
    const id = `${time}${randomBytes(3).toString('hex').slice(1)}`;
    if (!view.get(keyRecords, [id])) return id;
  }
}
