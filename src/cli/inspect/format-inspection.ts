import { counted } from '../../core/counted.js';
import { formatBytes } from '../../core/format-bytes.js';
import { groupBy } from '../../core/group-by.js';
import { ageText } from '../../core/loaded-source.js';
import { abbreviationOf, stateByFips } from '../../core/states.js';
import { formatTable } from '../../core/table.js';
import type { Inspection } from './inspection.js';

/** Formats an inspection as text. */
export function formatInspection(inspection: Inspection): string[] {
  return [
    `Generation ${inspection.generation}${inspection.published ? ' (published)' : ''}`,
    ...(inspection.synthetic ? ['SYNTHETIC demo data: no value was measured'] : []),
    ...inspection.generations.filter((name) => name !== inspection.generation).map((name) => `Also here: ${name}`),
    `${counted(inspection.tracts, 'tract')} in ${areasOf(inspection)}, ${inspection.outlines} with an outline`,
    `${counted(inspection.providers, 'provider')}, ${counted(rangesOf(inspection), 'address range')}`,
    ...(inspection.providers > 0 ? [`Providers placed by ${formatCounts(inspection.providersByLocation)}`] : []),
    ...inspection.files.flatMap((file) => ['', ...formatFile(file)]),
    '',
    ...formatTable(
      ['state', 'tracts'],
      inspection.states.map((state) => [`${state.fips} ${state.name}`, String(state.tractCount)]),
    ),
    ...formatAddresses(inspection.addresses),
    '',
    ...formatTable(
      ['loaded', 'vintage', 'age', 'fetched'],
      inspection.loadedSources.map(({ source, vintage, ageDays, fetched }) => [
        source,
        vintage ?? '',
        ageText(ageDays),
        fetched ?? '',
      ]),
    ),
    '',
    ...formatTable(['section', 'source, by vintage', 'states', 'tracts', 'note'], sourceRows(inspection)),
    '',
    ...formatTable(
      ['measure', 'tracts with a value'],
      Object.entries(inspection.metrics).map(([path, count]) => [path, String(count)]),
    ),
    '',
    `Trend years: ${inspection.trendYears.join(', ') || 'none'}`,
  ];
}

const areasOf = ({ counties, states }: Inspection): string =>
  `${counted(counties, 'county', 'counties')} of ${counted(states.length, 'state')}`;

const rangesOf = ({ addresses }: Inspection): number => addresses.reduce((sum, { ranges }) => sum + ranges, 0);

function formatAddresses(addresses: Inspection['addresses']): string[] {
  if (addresses.length === 0) return [];
  const rows = addresses.map(({ stateFips, ranges, streets, zips, cities, outsideOutlines }) => [
    `${stateFips} ${stateByFips(stateFips)?.name}`,
    ...[ranges, streets, zips, cities, outsideOutlines].map(String),
  ]);
  return [
    '',
    ...formatTable(['state', 'address ranges', 'streets', 'ZIPs', 'cities', 'outside outlines'], rows),
    ...formatReadOtherwise(addresses),
  ];
}

function formatReadOtherwise(addresses: Inspection['addresses']): string[] {
  const count = addresses.reduce((sum, { readOtherwise }) => sum + readOtherwise, 0);
  if (count === 0) return [];
  const states = addresses.filter(({ readOtherwise }) => readOtherwise > 0);
  const examples = states.flatMap(({ readOtherwiseSuchAs }) => readOtherwiseSuchAs).slice(0, 3);
  return [
    '',
    `This version reads the names of ${counted(count, 'street')} otherwise than the one that compiled them (${examples.join(', ')}).`,
    'Addresses there may not be found until the address ranges are compiled again.',
  ];
}

/** `coordinate_file 12, zip 3`. */
function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function formatFile(file: Inspection['files'][number]): string[] {
  return [
    `${file.name}, ${formatBytes(file.sizeBytes)}`,
    ...formatTable(
      ['section', 'kind', 'bytes', 'xxh3', 'checksum'],
      file.sections.map((section) => [
        section.name,
        section.element,
        String(section.sizeBytes),
        section.xxh3,
        'verified',
      ]),
    ),
  ];
}

/** One row per section and product: the states that use it, and for how many tracts. A section's rows are together. */
function sourceRows(inspection: Inspection): string[][] {
  const bySection = [...groupBy(inspection.sources, ({ section }) => section).values()].flat();
  const groups = groupBy(bySection, ({ section, label }) => `${section}\n${label}`);
  return [...groups.values()].map((entries) => [
    entries[0]?.section ?? '',
    entries[0]?.label ?? '',
    entries.map((entry) => abbreviationOf(entry.stateFips)).join(' '),
    String(entries.reduce((sum, entry) => sum + entry.tractCount, 0)),
    [
      ...(entries.some((entry) => entry.stateRanked) ? ['ranked within each state'] : []),
      ...(entries.some((entry) => entry.tractVintage === 2010) ? ['published on 2010 tracts'] : []),
    ].join('; '),
  ]);
}
