import { describeExample } from '../intake/example.js';
import type { Tally } from '../intake/tally.js';
import type { SourceCatalog } from '../source-catalog.js';
import type { SourceId } from '../source-id.js';
import type { Refusal } from './refusal.js';

/** Fewer rejected rows than this do not condemn a file or source, however small, unless no row of it is left. */
const FEW_ROWS = 5;

/** A source can have thousands of files; only the reasons with the most rows are listed. */
const MAX_REASONS = 10;

/**
 * The files and sources with a greater share of rejected rows than `datasets/sources.json` allows. Each file is also judged
 * by itself: otherwise one state's rows could be lost unnoticed among the nation's. Rows that were left out are neither
 * right nor wrong, so they do not count in the shares.
 */
export function overThreshold(tallies: readonly Tally[], catalog: SourceCatalog): Refusal[] {
  // Gazetteers first: rows of other files may have been rejected for tracts that are rejected there.
  const sorted = [...tallies].sort((a, b) => Number(b.source === 'gazetteer') - Number(a.source === 'gazetteer'));
  const files = sorted.flatMap((tally) => fileFault(tally, limitOfFile(catalog[tally.source])));
  const sources = [...new Set(sorted.map(({ source }) => source))];
  return [...files, ...sources.flatMap((source) => sourceFault(source, tallies, catalog[source].maxRejectShare))];
}

const limitOfFile = ({ maxRejectShare, maxRejectShareOfFile }: SourceCatalog[SourceId]): number =>
  maxRejectShareOfFile ?? maxRejectShare;

function fileFault(tally: Tally, limit: number): Refusal[] {
  const { file, product, read, rejectedRows } = tally;
  if (file === undefined || rejectedRows === 0) return [];
  const fault = (of: number, what: string): Refusal[] => [
    { what: `${file} (${product}): ${rejectedRows} of ${of} rows rejected${what}`, reasons: reasonsOf([tally]) },
  ];
  if (rejectedRows === read) return fault(read, ': all of them');
  const judged = read - tally.leftOutRows;
  if (rejectedRows < FEW_ROWS || rejectedRows <= judged * limit) return [];
  return fault(judged, `, more than ${limit * 100}%`);
}

function sourceFault(source: SourceId, tallies: readonly Tally[], limit: number): Refusal[] {
  const own = tallies.filter((tally) => tally.source === source);
  const judged = own.reduce((sum, tally) => sum + tally.read - tally.leftOutRows, 0);
  const rejected = own.reduce((sum, tally) => sum + tally.rejectedRows, 0);
  if (rejected <= judged * limit) return [];
  // With one state loaded, a source can be as small as a file.
  if (rejected < FEW_ROWS && rejected < judged) return [];
  return [
    { what: `${source}: ${rejected} of ${judged} rows rejected, more than ${limit * 100}%`, reasons: reasonsOf(own) },
  ];
}

/** `in/svi/Wyoming.csv: 160 × not a tract GEOID, the first: row 2, FIPS "56001"`; reasons with the most rows first. */
function reasonsOf(tallies: readonly Tally[]): string[] {
  const found = tallies.flatMap(({ file, product, rejected, examples }) =>
    [...rejected].map(([reason, count]) => {
      const first = describeExample(examples.get(reason)?.[0] ?? {});
      return { count, text: `${file ?? product}: ${count} × ${reason}${first === '' ? '' : `, the first: ${first}`}` };
    }),
  );
  const texts = found.sort((a, b) => b.count - a.count).map(({ text }) => text);
  const more = texts.length - MAX_REASONS;
  return more > 0 ? [...texts.slice(0, MAX_REASONS), `and ${more} more, which --report lists`] : texts;
}
