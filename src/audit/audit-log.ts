import { z } from 'zod';
import { LoggableError } from '../core/loggable-error.js';
import { systemCode } from '../core/system-code.js';
import {
  defineCollection,
  type StateStore,
  type StateView,
  type Transaction,
  type TransactOptions,
} from '../state/store.js';

/** Who asked for a change. The token is shared between maintainers, so the name is only what the client claims. */
const actorSchema = z.object({
  name: z.string().nullable(),
  /** Where the request came from. */
  address: z.string(),
  /** A fingerprint that tells tokens apart and reveals nothing about the token. */
  token: z.string(),
});
export type Actor = z.output<typeof actorSchema>;

/**
 * The service itself as the actor of a change that nobody asked for over the admin plane; `name` says which part of it, or
 * which trigger. There is no address and no token.
 */
export function ownActor(name: string): Actor {
  return { name, address: '', token: '' };
}

/** The state of a changed thing, before or after, without secrets; `null` if it did not exist. */
const stateOfThing = z.record(z.string(), z.json()).nullable();
export type AuditedThing = z.output<typeof stateOfThing>;

export const auditEntrySchema = z.object({
  id: z.int().positive(),
  /** ISO 8601. */
  at: z.iso.datetime(),
  actor: actorSchema,
  /** The procedure, such as `keys.issue`. */
  action: z.string(),
  /** The id of what was changed, such as a key or a subscription; null if there is none. */
  target: z.string().nullable(),
  /** `started` remains if the process ended before the work did, or if the state could not store how the work ended. */
  outcome: z.enum(['started', 'done', 'failed']),
  before: stateOfThing,
  after: stateOfThing,
});
/** One change, or one attempt at a change. */
export type AuditEntry = z.output<typeof auditEntrySchema>;

/** The facts that a caller records about a change; the log adds the number and the time. */
export type AuditFacts = Pick<AuditEntry, 'actor' | 'action' | 'target' | 'before' | 'after'>;

/** By negated number, so that the newest entries come first. */
export const auditRecords = defineCollection('audit', { key: z.tuple([z.int().negative()]), value: auditEntrySchema });

/** Writes the entry in the same transaction as the change, so that neither exists without the other. */
export function recordAudit(transaction: Transaction, facts: AuditFacts, at: Date): AuditEntry {
  return put(transaction, { ...facts, outcome: 'done' }, at);
}

/** Reads a page of the log, newest first. `before` is the last number of the preceding page. */
export function readAudit(
  view: StateView,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): AuditEntry[] {
  const after = before === undefined ? undefined : [-before];
  return Array.from(view.range(auditRecords, { after, limit }), ({ value }) => value);
}

/** The result of work outside the state store, with the states to record before and after it. */
export interface AuditedWork<T> {
  readonly result: T;
  readonly before: AuditedThing;
  readonly after: AuditedThing;
}

/**
 * Records a change outside the state store, such as a reload: once before it starts, and again with its outcome. So no
 * change is without an entry, even if the process is killed in between. Rejects with a StateError if the change was not
 * begun because it cannot be recorded, and with what `work` throws. `options`: for a change that must be possible on a full
 * disk.
 */
export async function auditAround<T>(
  { state, now }: { readonly state: StateStore; readonly now: () => Date },
  facts: Pick<AuditFacts, 'actor' | 'action' | 'target'>,
  work: () => Promise<AuditedWork<T>>,
  options?: TransactOptions,
): Promise<T> {
  const nothing = { before: null, after: null };
  const started = await state.transact(
    (transaction) => put(transaction, { ...facts, ...nothing, outcome: 'started' }, now()),
    options,
  );
  const finish = (end: Pick<AuditEntry, 'outcome' | 'before' | 'after'>): Promise<void> =>
    state.transact((transaction) => transaction.put(auditRecords, [-started.id], { ...started, ...end }), options);
  let done: AuditedWork<T>;
  try {
    done = await work();
  } catch (error) {
    // If the state fails too, the entry keeps saying `started`; the caller gets the error of the work.
    await finish({ before: null, after: toldOf(error), outcome: 'failed' }).catch(() => {});
    throw error;
  }
  // Likewise, the caller gets the result: an error would deny a change that has been made.
  await finish({ outcome: 'done', before: done.before, after: done.after }).catch(() => {});
  return done.result;
}

/** The error's code, or its class, and its message if that may be shown: others can contain what does not belong here. */
function toldOf(error: unknown): { readonly error: string; readonly reason?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const told = { error: systemCode(error) ?? error.name };
  return error instanceof LoggableError ? { ...told, reason: error.message } : told;
}

function put(transaction: Transaction, facts: AuditFacts & Pick<AuditEntry, 'outcome'>, at: Date): AuditEntry {
  const entry = { id: transaction.nextId(auditRecords.name), at: at.toISOString(), ...facts };
  transaction.put(auditRecords, [-entry.id], entry);
  return entry;
}
