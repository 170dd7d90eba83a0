import type { TractsFile } from '../format/tracts-file.js';
import type { QueryPool } from './pool.js';
import type { Task } from './protocol.js';
import { PoolError } from './request.js';

/** How often each thread runs each kind of search: about as often as V8 wants before it compiles optimized code. */
const ROUNDS = 150;
const RADIUS_MILES = 5;
const PAGE = { limit: 25, offset: 0 };

/**
 * Starts a pool's threads and has them search all over the dataset, so that the first requests find compiled code and
 * pages in memory. A search that misses its deadline is ignored; rejects with PoolError if a thread ends.
 */
export async function warmPool(
  pool: Pick<QueryPool, 'runAlone'>,
  tracts: Pick<TractsFile, 'tractCount' | 'lats' | 'lngs'>,
  threads: number,
): Promise<void> {
  // One search per thread at a time, which starts all of them and fits in the shortest queue. In a shared batch, the
  // searches would all go to one thread, be answered together, and so share the next batch, too.
  for (let round = 0; round < ROUNDS; round++) {
    const lanes = Array.from({ length: threads }, async (_, thread) => {
      const row = Math.floor(((round + thread / threads) / ROUNDS) * tracts.tractCount);
      for (const task of searchesAt(tracts, row)) await pool.runAlone(task).catch(unlessSlow);
    });
    // No lane goes ahead: where a thread starts late, another could get all of its searches.
    await Promise.all(lanes);
  }
}

/** The most frequent kinds of search, around one tract. */
function searchesAt({ lats, lngs }: Pick<TractsFile, 'lats' | 'lngs'>, row: number): Task[] {
  const center = { lat: lats[row] ?? 0, lng: lngs[row] ?? 0 };
  const around = { ...PAGE, center, radiusMiles: RADIUS_MILES };
  return [
    { kind: 'nearby', query: around },
    { kind: 'rankings', row },
    { kind: 'providers-near', query: { ...around, type: 'all' } },
  ];
}

/** The deadline of requests is too short for a thread that is only starting, so missing it is no failure. */
function unlessSlow(error: unknown): void {
  if (!(error instanceof PoolError && error.code === 'deadline')) throw error;
}
