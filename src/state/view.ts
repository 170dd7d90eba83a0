import type { Key, RootDatabase } from 'lmdb';
import { z } from 'zod';
import { StateError, toStateError } from './state-error.js';
import {
  type Collection,
  defineCollection,
  type RangeOptions,
  type StateKey,
  type StoredRecord,
  type Transaction,
} from './store.js';

/** A key part that sorts after all strings and numbers. */
const LAST = new Uint8Array([0xff]);

const counters = defineCollection('counters', { key: z.tuple([z.string()]), value: z.int().positive() });

/** A transaction over LMDB's current transaction, with the amount that it has written so far. */
export interface OpenView extends Transaction {
  readonly writes: { readonly count: number; readonly bytes: number };
  /** Makes every later use an error. */
  end(): void;
}

/** Reads and writes in LMDB's current transaction. All collections share one tree, with their name as first key part. */
export function openView(database: RootDatabase<string>, directory: string): OpenView {
  let open = true;
  const writes = { count: 0, bytes: 0 };
  const guarded = <T>(use: () => T): T => {
    if (!open) throw new TypeError('a view of the state is used after its function has returned');
    try {
      return use();
    } catch (error) {
      throw toStateError(directory, error);
    }
  };
  function* each<Row>(rowsOf: () => Iterable<Row>): Generator<Row> {
    const rows = guarded(() => rowsOf()[Symbol.iterator]());
    try {
      for (let row = guarded(() => rows.next()); !row.done; row = guarded(() => rows.next())) yield row.value;
    } finally {
      rows.return?.();
    }
  }
  const view: OpenView = {
    writes,
    end: () => {
      open = false;
    },
    get: (collection, key) => {
      const at = keyOf(collection, key);
      const text = guarded(() => database.get(at));
      return text === undefined ? undefined : check(directory, collection.name, collection.value, parse(text));
    },
    *range(collection, options = {}) {
      const bounds = boundsOf(collection, options);
      for (const { key, value } of each(() => database.getRange(bounds))) {
        yield {
          key: checkKey(directory, collection, key),
          value: check(directory, collection.name, collection.value, parse(value)),
        };
      }
    },
    *keys(collection, options = {}) {
      const bounds = boundsOf(collection, options);
      for (const key of each(() => database.getKeys(bounds))) yield checkKey(directory, collection, key);
    },
    count: (collection, options = {}) => guarded(() => database.getKeysCount(boundsOf(collection, options))),
    put: (collection, key, value) => {
      const at = keyOf(collection, key);
      const text = JSON.stringify(collection.value.parse(value));
      writes.count++;
      writes.bytes += Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(key));
      guarded(() => database.putSync(at, text));
    },
    remove: (collection, key) => {
      const at = keyOf(collection, key);
      writes.count++;
      return guarded(() => database.removeSync(at));
    },
    lastId: (name) => view.get(counters, [name]) ?? 0,
    nextId: (name) => {
      const id = view.lastId(name) + 1;
      view.put(counters, [name], id);
      return id;
    },
  };
  return view;
}

const storedKey = z.tuple([z.string()], z.union([z.string(), z.number()]));

/** All records, in the order of the file. Throws StateError for a record that no view can have written. */
export function* storedRecords(database: RootDatabase<string>, directory: string): Generator<StoredRecord> {
  for (const { key, value } of allRows(database, directory)) {
    const [collection, ...rest] = check(directory, 'the store', storedKey, key);
    yield { collection, key: rest, value: check(directory, collection, z.json(), parse(value)) };
  }
}

function* allRows(database: RootDatabase<string>, directory: string): Generator<{ key: Key; value: string }> {
  try {
    yield* database.getRange();
  } catch (error) {
    throw toStateError(directory, error);
  }
}

function keyOf(collection: { readonly name: string }, key: StateKey): Key[] {
  // NUL separates the parts of a key in the file.
  if (key.some((part) => typeof part === 'string' && part.includes('\0')))
    throw new TypeError(`a key of ${collection.name} contains a NUL`);
  return [collection.name, ...key];
}

function boundsOf(collection: { readonly name: string }, { prefix = [], after, reverse = false, limit }: RangeOptions) {
  const first = keyOf(collection, after ?? prefix);
  const end = [...keyOf(collection, prefix), LAST];
  const isAfter = after !== undefined;
  return {
    ...(reverse
      ? { start: end, end: first, inclusiveEnd: !isAfter, reverse }
      : { start: first, exclusiveStart: isAfter, end }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function checkKey<K extends StateKey>(directory: string, { name, key: schema }: Collection<K, unknown>, key: Key): K {
  return check(directory, name, schema, Array.isArray(key) ? key.slice(1) : key);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No schema accepts `undefined`, so `check` throws an error that names the collection.
    return undefined;
  }
}

function check<T>(directory: string, name: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new StateError('corrupt', directory, `a record of ${name} is damaged`);
}
