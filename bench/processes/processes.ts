import { type LoadClient, startLoadClient } from '../client/load-client.js';
import { coldAsks, mixedAsks } from '../http/asks.js';
import { checkAnswers } from '../http/check.js';
import { NEARBY, TRACT } from '../http/endpoints.js';
import { type AskStream, sample, streamOf } from '../http/sample.js';
import { worldOf } from '../http/world.js';
import { noDataset, openLive } from '../lib/live-dataset.js';
import { measureMarginalMemory } from '../lib/marginal-memory.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { type Service, startService } from '../lib/service.js';
import type { Figure, SuiteContext, SuiteOutcome } from '../lib/suite.js';
import { measureKill, measureWorkerExit } from './mishaps.js';

const SEED = 1;
const CHECKED_ANSWERS = 100;
const CONNECTIONS = 64;
const ROUNDS = 5;
/** One worker thread per process, so that only the number of processes differs. */
const argsFor = (processes: number): string[] => ['--processes', String(processes), '--worker-threads', '1'];

interface Line {
  readonly name: string;
  readonly stream: AskStream;
}

/** `processes`: throughput of two processes, memory of each further one, and requests lost when one is killed. */
export async function runProcesses(context: SuiteContext): Promise<SuiteOutcome> {
  const { datasetsDir, note } = context;
  const dataset = openLive(datasetsDir);
  if (!dataset) return noDataset(datasetsDir);
  const world = worldOf(dataset, SEED);
  const mix = mixedAsks(world, SEED);
  const nearby = coldAsks(NEARBY, world, SEED);
  const tracts = coldAsks(TRACT, world, SEED);
  const checked = [...tracts.slice(-CHECKED_ANSWERS), ...nearby.slice(-CHECKED_ANSWERS)];
  const lines = [
    { name: TRACT.name, stream: streamOf(tracts) },
    { name: NEARBY.name, stream: streamOf(nearby) },
    { name: 'mix', stream: streamOf(mix) },
  ];
  const client = startLoadClient();
  try {
    note('one process and two');
    const scaling = await measureScaling(context, client, lines, checked);
    note('what a further process costs');
    const further = { flag: '--processes', name: 'each further process', boundMiB: 96 };
    const memory = await measureMarginalMemory(further, context, client, streamOf(nearby));
    note('kill -9 of one of two');
    const killed = await measureKill(context, client, streamOf(mix), argsFor(2));
    note('exit of a worker thread');
    const exited = await measureWorkerExit(context, client, streamOf(nearby));
    return {
      datasets: { [`${dataset.tracts.tractCount} tracts`]: dataset.generation },
      checks: [`${checked.length} answers of two processes`],
      figures: [...scaling, ...memory, ...killed, ...exited],
    };
  } finally {
    await client.stop();
  }
}

async function measureScaling(
  context: SuiteContext,
  client: LoadClient,
  lines: readonly Line[],
  checked: Parameters<typeof checkAnswers>[1],
): Promise<Figure[]> {
  const started: Service[] = [];
  const start = async (processes: number): Promise<Service> => {
    const service = await startService({ ...context, args: argsFor(processes) });
    started.push(service);
    return service;
  };
  try {
    const one = await start(1);
    const two = await start(2);
    await checkAnswers(two, checked);
    const figures: Figure[] = [];
    for (const { name, stream } of lines) {
      const load = {
        kind: 'closed',
        connections: CONNECTIONS,
        seconds: context.sampleSeconds,
        keepAlive: true,
      } as const;
      const rates = await alternate(
        [
          { name: 'one', run: async () => (await sample(client, one, stream, load)).perSecond },
          { name: 'two', run: async () => (await sample(client, two, stream, load)).perSecond },
        ],
        { rounds: ROUNDS, warmUps: 1 },
      );
      figures.push(figure(`${name}: one process`, '/s', rates.one), figure(`${name}: two processes`, '/s', rates.two));
      figures.push(ratioFigure(`${name}: two processes : one`, rates.two, rates.one, 'more'));
    }
    return figures;
  } finally {
    for (const service of started) await service.stop();
  }
}
