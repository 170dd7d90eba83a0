import { setTimeout as delay } from 'node:timers/promises';
import { diffTracts } from '../../src/catalog/admin/diff.js';
import type { Dataset } from '../../src/format/dataset.js';
import { type LoadClient, startLoadClient } from '../client/load-client.js';
import { mixedAsks } from '../http/asks.js';
import { p99BetweenStalls } from '../http/fixed-rate-figures.js';
import { type AskStream, LEAD_IN_SECONDS, type Sample, sample, streamOf } from '../http/sample.js';
import { worldOfAll } from '../http/world.js';
import { MEBIBYTE } from '../lib/mebibyte.js';
import { NO_PRIVATE_MEMORY } from '../lib/process-usage.js';
import { figure, ratioFigure } from '../lib/rounds.js';
import { type Service, startService } from '../lib/service.js';
import { type Figure, type SuiteContext, type SuiteOutcome, WrongAnswerError } from '../lib/suite.js';
import { openTwoGenerations } from '../lib/two-generations.js';
import { MEMORY_PROBE, memoryAfterCollection } from '../soak/memory.js';

const SEED = 1;
const ROUNDS = 5;
/** Half a second after answers begin to be counted, when all connections are open. */
const RELOAD_AFTER_MS = (LEAD_IN_SECONDS + 0.5) * 1000;
const LOAD = { kind: 'open', connections: 64, keepAlive: true, ratePerSecond: 5000 } as const;
const SECONDS = 4;
const P99_RATIO_MAX = 3;
const DIFF_RUNS = 10;
const DIFF_MAX_MS = 1000;
const LIVE_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 30_000;
const LOOK_MS = 250;
/** The normal variation of private memory from moment to moment, after garbage collection. */
const SLACK_MIB = 16;

/** `reload`: the effect on latencies when another nation replaces the live one, and the memory that reloads leave behind. */
export async function runReload(context: SuiteContext): Promise<SuiteOutcome> {
  const { note } = context;
  const generations = openTwoGenerations(context);
  if ('skipped' in generations) return generations;
  const { datasetsDir, current, other, datasets, publish } = generations;
  const client = startLoadClient();
  let service: Service | undefined;
  try {
    const diffs = timeDiffs(datasets);
    const stream = streamOf(mixedAsks(worldOfAll(datasets, SEED), SEED));
    service = await startService({ ...context, datasetsDir, preload: MEMORY_PROBE });
    note(`${ROUNDS} rounds of a reload under ${LOAD.ratePerSecond} requests a second`);
    const figures = await measureReloads({ service, client, stream, publish, turns: [other, current], note });
    return {
      datasets: { before: current, after: other },
      checks: ['every answer under load was a 200, also during the reloads'],
      figures: [figure('diff of the two, by their hashes', 'ms', diffs, { sign: '≤', bound: DIFF_MAX_MS }), ...figures],
    };
  } finally {
    await service?.stop();
    generations.release();
    await client.stop();
  }
}

function timeDiffs([first, second]: readonly [Dataset, Dataset]): number[] {
  return Array.from({ length: DIFF_RUNS }, () => {
    const startedAtMs = performance.now();
    diffTracts(first.tracts, second.tracts);
    return performance.now() - startedAtMs;
  });
}

interface Reloading {
  readonly service: Service;
  readonly client: LoadClient;
  readonly stream: AskStream;
  /** Makes a generation current. */
  readonly publish: (generation: string) => void;
  /** The generations to publish, in turn. */
  readonly turns: readonly [string, string];
  readonly note: SuiteContext['note'];
}

async function measureReloads(reloading: Reloading): Promise<Figure[]> {
  const { service, client, stream, turns, note } = reloading;
  const load = (): Promise<Sample> => sample(client, service, stream, { ...LOAD, seconds: SECONDS });
  const [calm, during, took]: [number[], number[], number[]] = [[], [], []];
  // Fills the caches, compiles code, and lets the allocator retain all the memory that it will retain of exited threads.
  for (const generation of [...turns, ...turns]) {
    await load();
    await reload(reloading, generation);
  }
  await load();
  const before = (await memoryAfterCollection(service)).privateBytes;
  for (let round = 0; round < ROUNDS; round++) {
    calm.push(p99BetweenStalls((await load()).result));
    const [busy, reloadMs] = await Promise.all([
      load(),
      delay(RELOAD_AFTER_MS).then(() => reload(reloading, turns[round % 2] ?? '')),
    ]);
    during.push(p99BetweenStalls(busy.result));
    took.push(reloadMs);
  }
  if (before === undefined) note(`the memory that reloads leave behind ${NO_PRIVATE_MEMORY}`);
  const settled = before === undefined ? undefined : await settle(service, before);
  return [
    figure('p99 of the mix, without a reload', 'ms', calm),
    figure('p99 of the mix, in the seconds of a reload', 'ms', during),
    ratioFigure('p99 of the mix, with a reload : without', during, calm, { sign: '≤', bound: P99_RATIO_MAX }),
    figure('until a reload is live', 'ms', took),
    ...(settled ? memoryFigures(settled) : []),
  ];
}

/** The memory that the reloads left behind, and for how long. */
interface Settled {
  readonly moreMib: number;
  readonly ms: number;
}

function memoryFigures({ moreMib, ms }: Settled): Figure[] {
  const within = { sign: '≤', bound: SETTLED_WITHIN_MS / 1000 } as const;
  return [
    figure('private memory above the level before the reloads', 'MiB', [moreMib], { sign: '≤', bound: SLACK_MIB }),
    // No shorter time can be measured, which whoever reads the figure should know.
    figure('until that memory is given back (checked every 6.5 s)', 's', [ms / 1000], within),
  ];
}

/**
 * Publishes a generation and reloads; returns the milliseconds until the service answers from it. Throws
 * {@link WrongAnswerError} if it never does, as when it refuses the generation.
 */
async function reload({ service, publish }: Reloading, generation: string): Promise<number> {
  publish(generation);
  const startedAtMs = performance.now();
  process.kill(service.pid, 'SIGHUP');
  for (;;) {
    const { headers } = await fetch(`${service.url}/health`);
    if (headers.get('x-dataset-generation') === generation) return performance.now() - startedAtMs;
    if (performance.now() - startedAtMs > LIVE_WITHIN_MS)
      throw new WrongAnswerError(`${generation} is not live ${LIVE_WITHIN_MS / 1000} s after it was published`);
    await delay(LOOK_MS / 10);
  }
}

/** Waits until the service uses about as much memory as before, but no longer than `SETTLED_WITHIN_MS`. */
async function settle(service: Service, before: number): Promise<Settled> {
  const startedAtMs = performance.now();
  for (;;) {
    const { privateBytes = Number.NaN } = await memoryAfterCollection(service);
    const moreMib = (privateBytes - before) / MEBIBYTE;
    const ms = performance.now() - startedAtMs;
    if (moreMib <= SLACK_MIB || ms > SETTLED_WITHIN_MS) return { moreMib, ms };
    await delay(LOOK_MS);
  }
}
