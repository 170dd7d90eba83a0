import { z } from 'zod';
import { obtain } from '../core/obtain.js';
import { defineCollection, type StateStore, type Transaction } from '../state/store.js';
import { keyLastUses } from './key-record.js';

/** Answered requests by day (UTC, `2026-01-31`), key and route. The day comes first, so that whole days can be dropped. */
const usageRecords = defineCollection('api-key-usage', {
  key: z.tuple([z.string(), z.string(), z.string()]),
  value: z.int().positive(),
});

/** Days for which usage is kept, today included. */
export const USAGE_DAYS = 92;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Bounds a transaction, so that a flush never holds up other writers for long. */
const ROWS_A_TRANSACTION = 500;

/** Stands for the route of requests refused before routing, such as those over the key's rate limit. */
export const REFUSED_ROUTE = '(refused)';
/** Stands for the route of requests that match no route. */
export const UNKNOWN_ROUTE = '(unknown)';

/** A key's answered requests of one day on one route. */
export interface UsageRow {
  /** UTC, `2026-01-31`. */
  readonly day: string;
  /** The route's pattern, such as `/v1/tracts/:geoid`; {@link REFUSED_ROUTE} or {@link UNKNOWN_ROUTE} if it has none. */
  readonly route: string;
  readonly requests: number;
}

/**
 * Counts the requests of each key: in memory on the request path, flushed to the state now and then. A killed process loses
 * what it counted since the last flush.
 */
export interface KeyUsage {
  count(keyId: string, route: string): void;
  /**
   * Stores the counts since the last flush, once a flush in progress has ended. Counts that cannot be stored are kept for
   * the next flush. Rejects with a StateError.
   */
  flush(): Promise<void>;
  /**
   * The usage of the last `days` days, newest first: what is stored, and what this process has counted since. Stores nothing,
   * so that a full disk does not hide it.
   */
  read(keyId: string, days: number): Promise<UsageRow[]>;
}

interface Pending {
  readonly day: string;
  readonly keyId: string;
  readonly route: string;
  requests: number;
  lastMs: number;
}

export function createKeyUsage({
  state,
  nowMs,
}: {
  readonly state: StateStore;
  readonly nowMs: () => number;
}): KeyUsage {
  /** By day, key and route. Nested maps take existing strings as keys; a joined key would be built for each request. */
  let pending = new Map<string, Map<string, Map<string, Pending>>>();
  let today = { day: '', startsMs: 0, endsMs: 0 };
  let cleared = '';
  let last: Promise<void> = Promise.resolve();

  const add = ({ keyId, route, requests, lastMs, day }: Pending): void => {
    const byKey = obtain(pending, day, () => new Map());
    const byRoute = obtain(byKey, keyId, () => new Map());
    const row = byRoute.get(route);
    if (!row) byRoute.set(route, { day, keyId, route, requests, lastMs });
    else {
      row.requests += requests;
      row.lastMs = Math.max(row.lastMs, lastMs);
    }
  };
  const storePending = async (): Promise<void> => {
    const rows = [...pending.values()].flatMap((byKey) =>
      [...byKey.values()].flatMap((byRoute) => [...byRoute.values()]),
    );
    pending = new Map();
    for (let at = 0; at < rows.length; at += ROWS_A_TRANSACTION) {
      try {
        const some = rows.slice(at, at + ROWS_A_TRANSACTION);
        await state.transact((transaction) => store(transaction, some, nowMs()));
      } catch (error) {
        for (const row of rows.slice(at)) add(row);
        throw error;
      }
    }
    const oldest = oldestDay(nowMs());
    if (rows.length > 0 && cleared !== oldest) {
      await forgetBefore(state, oldest);
      cleared = oldest;
    }
  };
  /** Waits until no flush is in progress: what it takes is neither stored yet nor pending any more. */
  const flushed = async (): Promise<void> => {
    for (let waited: Promise<void> | undefined; waited !== last; ) {
      waited = last;
      await waited.catch(() => {});
    }
  };
  return {
    count: (keyId, route) => {
      const lastMs = nowMs();
      // The clock may have been set back, even across midnight.
      if (lastMs >= today.endsMs || lastMs < today.startsMs) today = dayOf(lastMs);
      add({ day: today.day, keyId, route, requests: 1, lastMs });
    },
    flush: () => {
      last = last.then(storePending, storePending);
      return last;
    },
    read: async (keyId, days) => {
      await flushed();
      const wanted = Array.from({ length: days }, (_, back) => dayOf(nowMs() - back * DAY_MS).day);
      return await state.read((view) =>
        wanted.flatMap((day) => {
          const byRoute = new Map<string, number>();
          for (const { key, value } of view.range(usageRecords, { prefix: [day, keyId] })) byRoute.set(key[2], value);
          for (const { route, requests } of pending.get(day)?.get(keyId)?.values() ?? [])
            byRoute.set(route, (byRoute.get(route) ?? 0) + requests);
          return [...byRoute].map(([route, requests]) => ({ day, route, requests })).sort(byRouteName);
        }),
      );
    },
  };
}

/** In the order of the stored records. */
const byRouteName = (one: UsageRow, other: UsageRow): number => (one.route < other.route ? -1 : 1);

function store(transaction: Transaction, rows: readonly Pending[], nowMs: number): void {
  const now = new Date(nowMs).toISOString();
  for (const { day, keyId, route, requests, lastMs } of rows) {
    const key: [string, string, string] = [day, keyId, route];
    transaction.put(usageRecords, key, (transaction.get(usageRecords, key) ?? 0) + requests);
    const lastUse = new Date(lastMs - (lastMs % MINUTE_MS)).toISOString();
    const stored = transaction.get(keyLastUses, [keyId]);
    // Times in this form sort as text. Another process may have stored a later use; one yet to come is of a wrong clock.
    if (stored === undefined || stored < lastUse || stored > now) transaction.put(keyLastUses, [keyId], lastUse);
  }
}

/** Deletes the usage of days before `oldest`, a limited number of rows per transaction. */
async function forgetBefore(state: StateStore, oldest: string): Promise<void> {
  for (;;) {
    const dropped = await state.transact((transaction) => {
      const old = [...transaction.keys(usageRecords, { limit: ROWS_A_TRANSACTION })];
      const passed = old.filter(([day]) => day < oldest);
      for (const key of passed) transaction.remove(usageRecords, key);
      return passed.length;
    });
    if (dropped < ROWS_A_TRANSACTION) return;
  }
}

function oldestDay(nowMs: number): string {
  return dayOf(nowMs - (USAGE_DAYS - 1) * DAY_MS).day;
}

/** The UTC day of a moment, and when that day starts and ends. */
function dayOf(ms: number): { day: string; startsMs: number; endsMs: number } {
  const startsMs = ms - (ms % DAY_MS);
  return { day: new Date(ms).toISOString().slice(0, 10), startsMs, endsMs: startsMs + DAY_MS };
}
