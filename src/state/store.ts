import type { z } from 'zod';

/** Keys are lists of strings (without NUL) and numbers, ordered part by part: numbers first, then strings by their UTF-8. */
export type StateKey = readonly (string | number)[];

/** A kind of record. The schemas describe the stored JSON, without transforms; records are checked by them when read. */
export interface Collection<K extends StateKey, V> {
  readonly name: string;
  readonly key: z.ZodType<K>;
  readonly value: z.ZodType<V>;
}

export interface Entry<K extends StateKey, V> {
  readonly key: K;
  readonly value: V;
}

/** A record as stored in the file, for backups. */
export interface StoredRecord {
  readonly collection: string;
  readonly key: (string | number)[];
  readonly value: z.core.util.JSONType;
}

export interface RangeOptions {
  /** Only keys that begin with these parts. */
  readonly prefix?: StateKey;
  /** Only keys after this one, such as the last of the previous page. It need not exist any more. */
  readonly after?: StateKey | undefined;
  /** From the last of these keys backwards. */
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** One consistent snapshot, usable only inside the function that it is passed to. */
export interface StateView {
  get<K extends StateKey, V>(collection: Collection<K, V>, key: K): V | undefined;
  /** The records in the order of their keys, read lazily. */
  range<K extends StateKey, V>(collection: Collection<K, V>, options?: RangeOptions): Iterable<Entry<K, V>>;
  /** The keys of those records. What the records hold is not read, which is most of the work. */
  keys<K extends StateKey, V>(collection: Collection<K, V>, options?: RangeOptions): Iterable<K>;
  /** How many records there are, without reading any of them. */
  count<K extends StateKey, V>(collection: Collection<K, V>, options?: Pick<RangeOptions, 'prefix'>): number;
  /** The last number that {@link Transaction.nextId} has given for this name; 0 if none. */
  lastId(name: string): number;
}

/** A view that sees its own writes; nobody else sees them before they are committed. */
export interface Transaction extends StateView {
  put<K extends StateKey, V>(collection: Collection<K, V>, key: K, value: V): void;
  /** Removes a record. Returns whether there was one. */
  remove<K extends StateKey, V>(collection: Collection<K, V>, key: K): boolean;
  /** The next number of the counter with this name, from 1. No number is given twice, even if its record was removed. */
  nextId(name: string): number;
}

export interface TransactOptions {
  /**
   * Whether the transaction may use the space that is kept for what must be possible on a full disk, such as to revoke a
   * key or to delete old datasets. It should write little.
   */
  readonly isUrgent?: boolean;
}

/**
 * Records that survive a crash, shared by all processes of one machine that open the same directory.
 *
 * Only one transaction runs at a time on the machine, so that what it has read still holds when it writes. All methods
 * reject with a StateError if the directory fails; what `work` throws is passed on unchanged.
 */
export interface StateStore {
  readonly directory: string;
  /** Runs `work`, which must be synchronous, over the newest snapshot. */
  read<T>(work: (view: StateView) => T): Promise<T>;
  /**
   * Runs `work`, which must be synchronous, and stores all that it wrote, or nothing if it throws. Once this resolves, the
   * writes have been flushed to the disk: they survive a crash of the process and, as far as the disk keeps its word, a
   * power failure. Transactions that are requested at the same time share a flush.
   */
  transact<T>(work: (transaction: Transaction) => T, options?: TransactOptions): Promise<T>;
  /** Runs `work`, which must be synchronous, over all records of the newest snapshot, in all collections. */
  dump<T>(work: (records: Iterable<StoredRecord>) => T): Promise<T>;
  /** Waits for the transactions in progress, then closes; later calls of the other methods fail. */
  close(): Promise<void>;
}

/** Lower-case words joined by hyphens. */
export const COLLECTION_NAME = /^[a-z]+(?:-[a-z]+)*$/;

/** Declares a collection. Throws a TypeError for a name that is not lower-case words joined by hyphens. */
export function defineCollection<K extends StateKey, V>(
  name: string,
  schemas: { readonly key: z.ZodType<K>; readonly value: z.ZodType<V> },
): Collection<K, V> {
  if (!COLLECTION_NAME.test(name))
    throw new TypeError(`${JSON.stringify(name)} names no collection: it is not lower-case words joined by hyphens`);
  return { name, ...schemas };
}
