import type { z } from 'zod';

/** Keys are lists of strings (without NUL) and numbers, ordered part by part: numbers first, then strings by their UTF-8. */
export type StateKey = readonly (string | number)[];

/** A kind of record. The schemas describe what JSON holds, without transforms; what comes back is checked by them. */
export interface Collection<K extends StateKey, V> {
  readonly name: string;
  readonly key: z.ZodType<K>;
  readonly value: z.ZodType<V>;
}

export interface Entry<K extends StateKey, V> {
  readonly key: K;
  readonly value: V;
}

/** A record as the file has it, for backups. */
export interface StoredRecord {
  readonly collection: string;
  readonly key: (string | number)[];
  readonly value: z.core.util.JSONType;
}

export interface RangeOptions {
  /** Only keys that begin with these parts. */
  readonly prefix?: StateKey;
  /** Only keys that come after this one, which need not exist: the last one of the page before. */
  readonly after?: StateKey;
  readonly limit?: number;
}

/** One consistent snapshot. Usable only inside the function that was given it. */
export interface StateView {
  get<K extends StateKey, V>(collection: Collection<K, V>, key: K): V | undefined;
  /** The records in the order of their keys, read as the loop goes. */
  range<K extends StateKey, V>(collection: Collection<K, V>, options?: RangeOptions): Iterable<Entry<K, V>>;
  /** How many records there are, without reading any of them. */
  count<K extends StateKey, V>(collection: Collection<K, V>, options?: Pick<RangeOptions, 'prefix'>): number;
}

/** A view that sees its own writes; nobody else does before it is committed. */
export interface Transaction extends StateView {
  put<K extends StateKey, V>(collection: Collection<K, V>, key: K, value: V): void;
  /** Whether there was one. */
  remove<K extends StateKey, V>(collection: Collection<K, V>, key: K): boolean;
  /** The next whole number of that name, from 1. No number is given twice, not even after its record was removed. */
  nextId(name: string): number;
}

/**
 * Records that survive a crash, shared by all processes of one machine that open the same directory.
 *
 * Only one transaction runs at a time on the machine, so that what it has read still holds when it writes. All methods
 * fail with a StateError where the directory fails; what `work` throws comes back as it is.
 */
export interface StateStore {
  readonly directory: string;
  /** Runs `work`, which must not wait for anything, over the newest snapshot. */
  read<T>(work: (view: StateView) => T): Promise<T>;
  /**
   * Runs `work`, which must not wait for anything, and stores all that it wrote, or, where it throws, nothing. Once
   * this resolves, the writes are flushed to the disk: they outlast the process and, as far as the disk keeps its word,
   * the power. Transactions that are asked for at the same time share a flush.
   */
  transact<T>(work: (transaction: Transaction) => T): Promise<T>;
  /** Runs `work`, which must not wait for anything, over every record of the newest snapshot, whatever its collection. */
  dump<T>(work: (records: Iterable<StoredRecord>) => T): Promise<T>;
  /** Waits for the transactions under way; later calls fail. */
  close(): Promise<void>;
}

/** Lower-case words joined by hyphens. */
export const COLLECTION_NAME = /^[a-z]+(?:-[a-z]+)*$/;

/** Declares a collection. Throws a TypeError for a name that is not lower-case words joined by hyphens. */
export function defineCollection<K extends StateKey, V>(
  name: string,
  schemas: { readonly key: z.ZodType<K>; readonly value: z.ZodType<V> },
): Collection<K, V> {
  if (!COLLECTION_NAME.test(name)) throw new TypeError(`collection name ${JSON.stringify(name)}`);
  return { name, ...schemas };
}
