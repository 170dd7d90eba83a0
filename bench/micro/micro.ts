import { noDataset, openLive } from '../lib/live-dataset.js';
import type { SuiteContext, SuiteOutcome } from '../lib/suite.js';
import { measureKeys } from './keys.js';
import { measureLocate } from './locate.js';
import { measureSearches } from './searches.js';

/** `micro`: key checks, searches around points against geokdbush, and point in tract against which-polygon. */
export async function runMicro({ datasetsDir, tempDir, note }: SuiteContext): Promise<SuiteOutcome> {
  const dataset = openLive(datasetsDir);
  if (!dataset) return noDataset(datasetsDir);
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
