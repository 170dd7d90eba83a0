import { startLoadClient } from '../client/load-client.js';
import { coldAsks, mixedAsks } from '../http/asks.js';
import { checkAnswers } from '../http/check.js';
import { NEARBY, NEARBY_WIDEST } from '../http/endpoints.js';
import { streamOf } from '../http/sample.js';
import { worldOf } from '../http/world.js';
import { noDataset, openLive } from '../lib/live-dataset.js';
import { measureMarginalMemory } from '../lib/marginal-memory.js';
import { type Service, startService } from '../lib/service.js';
import type { SuiteContext, SuiteOutcome } from '../lib/suite.js';
import { measureGrowth } from './growth.js';
import { MEMORY_PROBE } from './memory.js';
import { measureOverload } from './overload.js';

const SEED = 1;
const CHECKED_ANSWERS = 100;
const OVERLOAD_SECONDS = 60;

/** `soak`: growth of memory under long load, behaviour under overload, and the memory cost of further worker threads. */
export async function runSoak(context: SuiteContext): Promise<SuiteOutcome> {
  const { datasetsDir, soakMinutes, sampleSeconds, note } = context;
  const dataset = openLive(datasetsDir);
  if (!dataset) return noDataset(datasetsDir);
  const world = worldOf(dataset, SEED);
  const mix = mixedAsks(world, SEED);
  const widest = coldAsks(NEARBY_WIDEST, world, SEED);
  const client = startLoadClient();
  let service: Service | undefined;
  try {
    service = await startService({ ...context, preload: MEMORY_PROBE });
    const checked = [...mix.slice(-CHECKED_ANSWERS), ...widest.slice(-CHECKED_ANSWERS)];
    await checkAnswers(service, checked);
    note(`${soakMinutes} minutes of the mix`);
    const grown = await measureGrowth(service, client, mix, { totalSeconds: soakMinutes * 60, sampleSeconds, note });
    const overloadSeconds = Math.min(OVERLOAD_SECONDS, soakMinutes * 60);
    note(`${overloadSeconds} s of overload`);
    const line = { name: NEARBY_WIDEST.name, server: service, stream: streamOf(widest) };
    const overload = await measureOverload(client, line, { sampleSeconds, overloadSeconds });
    await service.stop();
    service = undefined;
    note('memory of further worker threads');
    const thread = { flag: '--worker-threads', name: 'each further worker thread', boundMiB: 40 };
    const further = await measureMarginalMemory(thread, context, client, streamOf(coldAsks(NEARBY, world, SEED)));
    return {
      datasets: { [`${dataset.tracts.tractCount} tracts`]: dataset.generation },
      checks: [`${checked.length} answers of the mix and of the widest search, before the load`],
      figures: [...grown.figures, ...overload.figures, ...further],
      charts: [grown.chart, overload.chart],
    };
  } finally {
    await service?.stop();
    await client.stop();
  }
}
