import { openLive } from '../lib/live-dataset.js';
import type { SuiteContext, SuiteOutcome } from '../lib/suite.js';
import { measureKeys } from './keys.js';
import { measureLocate } from './locate.js';
import { measureSearches } from './searches.js';

/** `micro`: key checks, searches around points against geokdbush, and point in tract against which-polygon. */
export async function runMicro({ datasetsDir, tempDir, note }: SuiteContext): Promise<SuiteOutcome> {
  const dataset = openLive(datasetsDir);
  if (!dataset)
    return { skipped: `no dataset in ${datasetsDir}: compile one there, or give another directory with --dataset` };
  const { outlines, tracts, generation } = dataset;
  const parts = [
    await measureKeys(tempDir, note),
    await measureSearches(dataset, note),
    await measureLocate(dataset, note),
  ];
  return {
    datasets: { [`${tracts.tractCount} tracts, ${outlines.outlineCount} outlines`]: generation },
    checks: parts.flatMap(({ checks }) => checks),
    figures: parts.flatMap(({ figures }) => figures),
  };
}
