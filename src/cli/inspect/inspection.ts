import { basename } from 'node:path';
import { type AgedSource, ageSources } from '../../core/loaded-source.js';
import { METRICS } from '../../core/metrics.js';
import { countKnown } from '../../core/statistics.js';
import { type AddressShard, NO_TRACT } from '../../format/addresses/shard.js';
import type { ContainerReader } from '../../format/container-reader.js';
import { openDataset } from '../../format/dataset.js';
import type { Area, ProvenanceEntry } from '../../format/description.js';
import { elementName } from '../../format/layout.js';
import { streetsReadOtherwise } from './streets-read-otherwise.js';

/** Counts of a state's address ranges. */
export interface AddressCounts {
  readonly stateFips: string;
  /** Address ranges, one per side of a street segment; a segment with several street names counts once for each. */
  readonly ranges: number;
  /** Distinct street names. */
  readonly streets: number;
  readonly zips: number;
  /** Cities known to use one of the ZIPs. */
  readonly cities: number;
  /** Ranges that lie in no loaded outline: addresses there resolve to no tract. */
  readonly outsideOutlines: number;
  /** Streets whose names this version of the program reads otherwise than the one that compiled them. */
  readonly readOtherwise: number;
  /** Some of their names. */
  readonly readOtherwiseSuchAs: readonly string[];
}

const EXAMPLES = 3;

/** The output of `inspect`, in the shape that `--json` prints. */
export interface Inspection {
  readonly generation: string;
  readonly published: boolean;
  /** All generations of the datasets directory. */
  readonly generations: readonly string[];
  readonly synthetic: boolean;
  readonly tracts: number;
  readonly outlines: number;
  readonly counties: number;
  readonly providers: number;
  /** The number of providers by source of their position; see LOCATION_QUALITIES. */
  readonly providersByLocation: Readonly<Record<string, number>>;
  /** Address ranges by state; empty if none are loaded. */
  readonly addresses: readonly AddressCounts[];
  /** Every section matches its checksum: `inspect` fails before this point otherwise. */
  readonly verified: true;
  readonly files: readonly {
    readonly name: string;
    readonly sizeBytes: number;
    readonly sections: readonly {
      readonly name: string;
      readonly element: string;
      readonly sizeBytes: number;
      readonly xxh3: string;
    }[];
  }[];
  readonly states: readonly Area[];
  readonly sources: readonly ProvenanceEntry[];
  /** All sources that the generation was compiled from, with their ages. */
  readonly loadedSources: readonly AgedSource[];
  /** The number of tracts with a value, by metric. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly trendYears: readonly number[];
}

/** Opens and summarizes a generation whose checksums are already verified. Throws FormatError if it cannot be opened. */
export function inspectDataset(
  directory: string,
  generations: { readonly current: string | undefined; readonly all: readonly string[] },
  nowMs: number,
): Inspection {
  const dataset = openDataset(directory);
  const { tracts, outlines } = dataset;
  const { description } = tracts;
  return {
    generation: dataset.generation,
    published: generations.current === dataset.generation,
    generations: generations.all,
    synthetic: description.synthetic,
    tracts: tracts.tractCount,
    outlines: outlines.outlineCount,
    counties: description.counties.length,
    verified: true,
    providers: dataset.providers?.providerCount ?? 0,
    providersByLocation: dataset.providers?.countByQuality() ?? {},
    addresses: (dataset.addresses?.shards ?? []).map(countAddresses),
    files: dataset.containers.map(inspectFile),
    states: description.states,
    sources: description.provenance,
    loadedSources: ageSources(description.loadedSources, nowMs),
    metrics: Object.fromEntries(METRICS.map((metric, index) => [metric.path, countKnown(tracts.values[index] ?? [])])),
    trendYears: [...tracts.trendYears],
  };
}

function countAddresses(shard: AddressShard): AddressCounts {
  const { stateFips, rangeCount, streetCount, zips, rangeTracts } = shard;
  const otherwise = streetsReadOtherwise(shard);
  return {
    stateFips,
    ranges: rangeCount,
    streets: streetCount,
    zips: zips.codes.length,
    cities: zips.cityCount,
    outsideOutlines: rangeTracts.reduce((count, tract) => count + (tract === NO_TRACT ? 1 : 0), 0),
    readOtherwise: otherwise.length,
    readOtherwiseSuchAs: otherwise.slice(0, EXAMPLES),
  };
}

function inspectFile(container: ContainerReader): Inspection['files'][number] {
  return {
    name: basename(container.label),
    sizeBytes: container.sizeBytes,
    sections: container.sections.map((section) => ({
      name: section.name,
      element: elementName(section.element),
      sizeBytes: section.sizeBytes,
      xxh3: section.xxh3.toString(16).padStart(16, '0'),
    })),
  };
}
