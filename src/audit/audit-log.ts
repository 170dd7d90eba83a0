import { z } from 'zod';
import { systemCode } from '../core/system-code.js';
import { defineCollection, type StateStore, type StateView, type Transaction } from '../state/store.js';

/** Who asked for a change. The token is shared, so that the name is what the client says of itself. */
const actorSchema = z.object({
  name: z.string().nullable(),
  /** Where the request came from. */
  address: z.string(),
  /** Tells tokens apart; nothing about the token follows from it. */
  token: z.string(),
});
export type Actor = z.output<typeof actorSchema>;

/**
 * The service itself, where nobody asked by the admin plane; `name` says what did. It came from nowhere and had no
 * token.
 */
export function ownActor(name: string): Actor {
  return { name, address: '', token: '' };
}

/** What something was, or became, without secrets; `null` where there was nothing. */
const stateOfThing = z.record(z.string(), z.json()).nullable();
export type AuditedThing = z.output<typeof stateOfThing>;

export const auditEntrySchema = z.object({
  id: z.int().positive(),
  /** ISO 8601. */
  at: z.iso.datetime(),
  actor: actorSchema,
  /** The procedure, such as `keys.issue`. */
  action: z.string(),
  /** What it was done to: a key's id, a generation. */
  target: z.string().nullable(),
  /** `started` stays where the process ended before the work did. */
  outcome: z.enum(['started', 'done', 'failed']),
  before: stateOfThing,
  after: stateOfThing,
});
/** One change, or what came of the attempt. */
export type AuditEntry = z.output<typeof auditEntrySchema>;

/** What is told of a change; the log adds number and time. */
export type AuditFacts = Pick<AuditEntry, 'actor' | 'action' | 'target' | 'before' | 'after'>;

/** By negated number, so that the newest come first. */
export const auditRecords = defineCollection('audit', { key: z.tuple([z.int().negative()]), value: auditEntrySchema });

/** Writes an entry in the transaction of the change itself: there is never one without the other. */
export function recordAudit(transaction: Transaction, facts: AuditFacts, at: Date): AuditEntry {
  return put(transaction, { ...facts, outcome: 'done' }, at);
}

/** A page of the log, the newest first: `before` is the last number of the page before. */
export function readAudit(view: StateView, page: { readonly before?: number; readonly limit: number }): AuditEntry[] {
  const { before, limit } = page;
  const after = before === undefined ? {} : { after: [-before] };
  return Array.from(view.range(auditRecords, { ...after, limit }), ({ value }) => value);
}

/** What work outside of the state reports of itself. */
export interface AuditedWork<T> {
  readonly result: T;
  readonly before: AuditedThing;
  readonly after: AuditedThing;
}

/**
 * Records a change that is not in the state itself, such as a reload: before it starts, and again with what came of it. So
 * that no change is without an entry, even where the process is killed in between.
 */
export async function auditAround<T>(
  { state, now }: { readonly state: StateStore; readonly now: () => Date },
  facts: Pick<AuditFacts, 'actor' | 'action' | 'target'>,
  work: () => Promise<AuditedWork<T>>,
): Promise<T> {
  const nothing = { before: null, after: null };
  const started = await state.transact((transaction) =>
    put(transaction, { ...facts, ...nothing, outcome: 'started' }, now()),
  );
  const finish = (end: Pick<AuditEntry, 'outcome' | 'before' | 'after'>): Promise<void> =>
    state.transact((transaction) => transaction.put(auditRecords, [-started.id], { ...started, ...end }));
  let done: AuditedWork<T>;
  try {
    done = await work();
  } catch (error) {
    // Where the state fails, too, the entry says `started` on; why the work failed is what whoever asked is to know.
    await finish({ before: null, after: { error: nameOf(error) }, outcome: 'failed' }).catch(() => {});
    throw error;
  }
  await finish({ outcome: 'done', before: done.before, after: done.after });
  return done.result;
}

/** Its code, or its class: messages can hold what does not belong in the log. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return systemCode(error) ?? error.name;
}

function put(transaction: Transaction, facts: AuditFacts & Pick<AuditEntry, 'outcome'>, at: Date): AuditEntry {
  const entry = { id: transaction.nextId(auditRecords.name), at: at.toISOString(), ...facts };
  transaction.put(auditRecords, [-entry.id], entry);
  return entry;
}
