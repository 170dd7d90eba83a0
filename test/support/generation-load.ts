import type { ServiceProcess } from './service-process.js';
import { TINY_TRACTS } from './tiny-dataset.js';

const [FIRST] = TINY_TRACTS;
/** One answered by the main thread from the file, one from the cache, one by a worker thread. */
const PATHS = [
  `/v1/tracts/${FIRST?.geoid}`,
  `/v1/nearby?lat=${FIRST?.lat}&lng=${FIRST?.lng}&radius=1&limit=1`,
  `/v1/providers?tract_fips=${FIRST?.geoid}`,
];
const CLIENTS = 4;

/** The results of constant load so far. */
export interface GenerationLoad {
  readonly answers: number;
  /** Every answer that is not a 200 with the values of the generation that its header names, and every failed request. */
  readonly problems: readonly string[];
  /** By generation: the distinct pairs of path and entity tag that were answered. */
  readonly tags: ReadonlyMap<string, ReadonlySet<string>>;
  stop(): Promise<void>;
}

/** Sends requests until stopped, a few at a time. `people` is the population of the first tract, by generation. */
export function startLoad(service: ServiceProcess, people: ReadonlyMap<string, number>): GenerationLoad {
  const problems: string[] = [];
  const tags = new Map<string, Set<string>>();
  let answers = 0;
  let stopped = false;

  const askOnce = async (path: string): Promise<void> => {
    const response = await service.fetch(path);
    const body = await response.text();
    const generation = response.headers.get('x-dataset-generation') ?? '';
    const expected = people.get(generation);
    const [, shown] = /"total_population":(\d+)/.exec(body) ?? [];
    answers++;
    if (response.status !== 200 || expected === undefined) problems.push(`${path}: ${response.status} ${generation}`);
    else if (shown !== undefined && Number(shown) !== expected) problems.push(`${path}: ${shown} from ${generation}`);
    const known = tags.get(generation) ?? new Set();
    tags.set(generation, known.add(`${path} ${response.headers.get('etag')}`));
  };
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = client; !stopped; turn++) {
      const path = PATHS[turn % PATHS.length] ?? '';
      await askOnce(path).catch((error: unknown) => problems.push(`${path}: ${String(error)}`));
    }
  });
  return {
    get answers() {
      return answers;
    },
    problems,
    tags,
    stop: async () => {
      stopped = true;
      await Promise.all(clients);
    },
  };
}
