import type { ServiceProcess } from './service-process.js';
import { TINY_TRACTS } from './tiny-dataset.js';

const [FIRST] = TINY_TRACTS;
/** One answered by the main thread out of the file, one out of the cache, one by a worker thread. */
const PATHS = [
  `/v1/tracts/${FIRST?.geoid}`,
  `/v1/nearby?lat=${FIRST?.lat}&lng=${FIRST?.lng}&radius=1&limit=1`,
  `/v1/providers?tract_fips=${FIRST?.geoid}`,
];
const CLIENTS = 4;

/** What constant load has met so far. */
export interface GenerationLoad {
  readonly answers: number;
  /** Anything but a 200 whose values are those of the generation that its header names. */
  readonly problems: readonly string[];
  /** Each generation's entity tags, by path. */
  readonly tags: ReadonlyMap<string, ReadonlySet<string>>;
  stop(): Promise<void>;
}

/** Asks until it is stopped, a few requests at a time. `people`: how many the first tract has in each generation. */
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
