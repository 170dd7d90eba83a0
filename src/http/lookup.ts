import type { Geoid } from '../core/geoid.js';
import type { TractsFile } from '../format/tracts-file.js';
import type { Task } from '../pool/protocol.js';
import { findRow } from '../query/rows.js';
import { type Answer, data } from './answer.js';
import { ApiError, unavailable } from './errors.js';
import type { Generation } from './generation.js';

/** A tract's row. Throws `not_found` where it is not loaded. */
export function requireRow(tracts: Pick<TractsFile, 'geoids'>, geoid: Geoid): number {
  const row = findRow(tracts, geoid);
  if (row < 0) throw new ApiError('not_found', `Tract ${geoid} not found.`);
  return row;
}

/** The answer that a worker thread gives to a task. Throws {@link PoolError}, or `no_dataset` where it cannot read the files. */
export async function answerInPool({ pool }: Generation, task: Task): Promise<Answer> {
  const reply = await pool.run(task);
  // The main thread has the dataset open, so this passes: a thread out of file handles or memory.
  if (!reply.ok) throw unavailable('no_dataset', 'The dataset cannot be read just now.');
  return data(reply.body);
}
