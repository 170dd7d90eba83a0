import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { generationPath } from '../../src/catalog/directory/generations.js';
import { openDataset } from '../../src/format/dataset.js';
import { packageFile } from '../../src/platform/package-root.js';
import { createQueryPool, type QueryPool } from '../../src/pool/pool.js';
import { createThreads } from '../../src/pool/threads.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset, TINY_TRACTS } from '../support/tiny-dataset.js';

const WORKER = pathToFileURL(packageFile('dist', 'src', 'pool', 'worker.js'));
const bodySchema = z.object({ tracts: z.array(z.object({ geoid: z.string(), total_population: z.number() })) });

async function populationNear(pool: QueryPool): Promise<number> {
  const { lat = 0, lng = 0, geoid } = TINY_TRACTS[0] ?? {};
  const query = { center: { lat, lng }, radiusMiles: 1, limit: 1, offset: 0 };
  const reply = await pool.run({ kind: 'nearby', query });
  if (!reply.ok) throw new Error(reply.detail);
  const [nearest] = bodySchema.parse(JSON.parse(Buffer.from(reply.body).toString())).tracts;
  expect(nearest?.geoid).toBe(geoid);
  return nearest?.total_population ?? Number.NaN;
}

test('one worker thread answers from each generation that is open, and lets go of those that are closed', async () => {
  const datasetsDir = temporaryDirectory();
  const onThreadError = vi.fn();
  const threads = createThreads({ most: 1, onThreadError, workerFile: WORKER });
  onTestFinished(() => threads.close());
  const open = (morePeople: number) => {
    const dataset = openDataset(generationPath(datasetsDir, publishTinyDataset(datasetsDir, morePeople)));
    const pool = createQueryPool({ threads, dataset, queueMaxTasks: 10, timeoutMs: 60_000 });
    return { dataset, pool };
  };
  let live = open(0);
  const first = await populationNear(live.pool);
  for (const more of [1, 2, 3, 4, 5]) {
    const next = open(more);
    expect(await Promise.all([live, next].map(({ pool }) => populationNear(pool)))).toEqual([
      first + more - 1,
      first + more,
    ]);
    await live.pool.close();
    live.dataset.release();
    expect(await populationNear(next.pool)).toBe(first + more);
    live = next;
  }
  await live.pool.close();
  live.dataset.release();
  // A thread that does not say that it has let go is terminated, which is reported.
  expect(onThreadError).not.toHaveBeenCalled();
});
