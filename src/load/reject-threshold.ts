import type { SourceCatalog } from './source-catalog.js';
import type { SourceId } from './source-id.js';
import type { Tally } from './tally.js';

/** So few wrong rows say nothing of a file, however small it is: unless it has no other. */
const FEW_ROWS = 5;

/**
 * The files and sources of whose rows a greater share was rejected than `datasets/sources.json` allows, in words. A file is
 * judged by itself, too: among the rows of a nation those of one state would be lost without a word. What was left out is
 * neither right nor wrong: shares are of the rows that were judged.
 */
export function overThreshold(tallies: readonly Tally[], catalog: SourceCatalog): string[] {
  const files = tallies.flatMap((tally) => fileFault(tally, catalog[tally.source].maxRejectShare));
  const sources = [...new Set(tallies.map(({ source }) => source))];
  return [...files, ...sources.flatMap((source) => sourceFault(source, tallies, catalog[source].maxRejectShare))];
}

function fileFault(tally: Tally, limit: number): string[] {
  const { file, product, read, rejectedRows } = tally;
  if (file === undefined || rejectedRows === 0) return [];
  const what = `${file} (${product})`;
  if (rejectedRows === read) return [`${what}: ${rejectedRows} of ${read} rows rejected: nothing is left of it`];
  const judged = read - tally.leftOutRows;
  if (rejectedRows < FEW_ROWS || rejectedRows <= judged * limit) return [];
  return [`${what}: ${rejectedRows} of ${judged} rows rejected, more than ${limit * 100}%`];
}

function sourceFault(source: SourceId, tallies: readonly Tally[], limit: number): string[] {
  const own = tallies.filter((tally) => tally.source === source);
  const judged = own.reduce((sum, tally) => sum + tally.read - tally.leftOutRows, 0);
  const rejected = own.reduce((sum, tally) => sum + tally.rejectedRows, 0);
  return rejected <= judged * limit
    ? []
    : [`${source}: ${rejected} of ${judged} rows rejected, more than ${limit * 100}%`];
}
