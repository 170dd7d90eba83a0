import type { TractsFile } from '../format/tracts-file.js';
import type { QueryPool } from './pool.js';
import type { Task } from './protocol.js';
import { PoolError } from './request.js';

/** Each kind of search is run so often by each thread: about as often as V8 asks for before it compiles for good. */
const ROUNDS = 150;
const RADIUS_MILES = 5;
const PAGE = { limit: 25, offset: 0 };

/**
 * Starts a pool's threads and has them search all over the dataset, so that the first requests find compiled code and
 * pages in memory. Slow threads are let be; rejects with PoolError where they end.
 */
export async function warmPool(
  pool: Pick<QueryPool, 'run'>,
  tracts: Pick<TractsFile, 'tractCount' | 'lats' | 'lngs'>,
  threads: number,
): Promise<void> {
  // One search a thread at any time: all of them start, and however short the queue is, it suffices.
  const lanes = Array.from({ length: threads }, async (_, thread) => {
    for (let round = 0; round < ROUNDS; round++) {
      const row = Math.floor(((round + thread / threads) / ROUNDS) * tracts.tractCount);
      for (const task of searchesAt(tracts, row)) await pool.run(task).catch(unlessSlow);
    }
  });
  await Promise.all(lanes);
}

/** What clients ask most, around one tract. */
function searchesAt({ lats, lngs }: Pick<TractsFile, 'lats' | 'lngs'>, row: number): Task[] {
  const center = { lat: lats[row] ?? 0, lng: lngs[row] ?? 0 };
  const around = { ...PAGE, center, radiusMiles: RADIUS_MILES };
  return [
    { kind: 'nearby', query: around },
    { kind: 'rankings', row },
    { kind: 'providers-near', query: { ...around, type: 'all' } },
  ];
}

/** How fast requests are to be answered is not for a thread that has only begun. */
function unlessSlow(error: unknown): void {
  if (!(error instanceof PoolError && error.code === 'deadline')) throw error;
}
