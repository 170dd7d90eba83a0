import * as flatbuffers from 'flatbuffers';
import type { LoadedSource } from '../core/loaded-source.js';
import type { Section } from '../core/metrics.js';
import { FormatError } from './format-error.js';
import { County } from './generated/description/county.js';
import { Description } from './generated/description/description.js';
import { LoadedSource as LoadedSourceTable } from './generated/description/loaded-source.js';
import { Provenance } from './generated/description/provenance.js';
import { State } from './generated/description/state.js';

/** A state (two-digit FIPS) or county (five-digit FIPS) and the consecutive rows of its tracts. */
export interface Area {
  readonly fips: string;
  /** Empty if no loaded file contains the county's name. */
  readonly name: string;
  readonly firstRow: number;
  readonly tractCount: number;
}

/** The source of some metrics' values in one state; schemas/description.fbs explains the fields. */
export interface ProvenanceEntry {
  readonly stateFips: string;
  readonly section: Section;
  readonly metrics: readonly string[];
  readonly source: string;
  readonly label: string;
  readonly year: number;
  readonly tractVintage: number;
  readonly stateRanked: boolean;
  readonly tractCount: number;
}

/** The contents of a dataset and where they come from. */
export interface DatasetDescription {
  readonly synthetic: boolean;
  readonly states: readonly Area[];
  readonly counties: readonly Area[];
  readonly metrics: readonly string[];
  readonly comparedMetrics: readonly string[];
  readonly trendMetrics: readonly string[];
  readonly provenance: readonly ProvenanceEntry[];
  /** Everything that the dataset was compiled from, by source, then with the newest vintage first. */
  readonly loadedSources: readonly LoadedSource[];
  /** Of the rules by which the files of address ranges compare names; 0 if compiled before editions were counted. */
  readonly namesEdition: number;
}

export function encodeDescription(description: DatasetDescription): Uint8Array {
  const builder = new flatbuffers.Builder(64 * 1024);
  const strings = (values: readonly string[]): number[] => values.map((value) => builder.createSharedString(value));
  const areas = (
    list: readonly Area[],
    create: (b: flatbuffers.Builder, fips: number, name: number, firstRow: number, count: number) => number,
  ): number[] =>
    list.map((area) => {
      const fips = builder.createSharedString(area.fips);
      // createSharedString returns no offset for an empty string.
      const name = builder.createString(area.name);
      return create(builder, fips, name, area.firstRow, area.tractCount);
    });

  const states = Description.createStatesVector(builder, areas(description.states, State.createState));
  const counties = Description.createCountiesVector(builder, areas(description.counties, County.createCounty));
  const metrics = Description.createMetricsVector(builder, strings(description.metrics));
  const compared = Description.createComparedMetricsVector(builder, strings(description.comparedMetrics));
  const trend = Description.createTrendMetricsVector(builder, strings(description.trendMetrics));
  const provenance = Description.createProvenanceVector(
    builder,
    description.provenance.map((entry) => encodeProvenance(builder, entry)),
  );
  const loadedSources = Description.createLoadedSourcesVector(
    builder,
    description.loadedSources.map((entry) => encodeLoadedSource(builder, entry)),
  );
  const root = Description.createDescription(
    builder,
    description.synthetic,
    states,
    counties,
    metrics,
    compared,
    trend,
    provenance,
    loadedSources,
    description.namesEdition,
  );
  Description.finishDescriptionBuffer(builder, root);
  return builder.asUint8Array();
}

function encodeProvenance(builder: flatbuffers.Builder, entry: ProvenanceEntry): number {
  const text = (value: string): number => builder.createSharedString(value);
  const metrics = Provenance.createMetricsVector(builder, entry.metrics.map(text));
  return Provenance.createProvenance(
    builder,
    text(entry.stateFips),
    text(entry.section),
    metrics,
    text(entry.source),
    text(entry.label),
    entry.year,
    entry.tractVintage,
    entry.stateRanked,
    entry.tractCount,
  );
}

function encodeLoadedSource(builder: flatbuffers.Builder, { source, vintage, fetched }: LoadedSource): number {
  const text = (value: string | null): number => (value === null ? 0 : builder.createSharedString(value));
  return LoadedSourceTable.createLoadedSource(builder, text(source), text(vintage), text(fetched));
}

/** Decodes the `description` section of the file that errors name. */
export function decodeDescription(bytes: Uint8Array, file: string): DatasetDescription {
  const buffer = new flatbuffers.ByteBuffer(bytes);
  if (bytes.byteLength < 8 || !Description.bufferHasIdentifier(buffer)) {
    throw new FormatError('bad-header', file, 'has no identifier TCDS', 'description');
  }
  const root = Description.getRootAsDescription(buffer);
  const list: ReadList = (length, at) => {
    // Each entry takes some bytes. An absurd number of them would be read, as zeros, until the memory is full.
    if (length > bytes.byteLength) {
      throw new FormatError('bad-header', file, `has no room for a list of ${length} entries`, 'description');
    }
    return Array.from({ length }, (_, index) => at(index)).filter((entry) => entry !== null);
  };
  const area = (entry: State | County): Area => ({
    fips: entry.fips(),
    name: entry.name(),
    firstRow: entry.firstRow(),
    tractCount: entry.tractCount(),
  });
  return {
    synthetic: root.synthetic(),
    states: list(root.statesLength(), (index) => root.states(index)).map(area),
    counties: list(root.countiesLength(), (index) => root.counties(index)).map(area),
    metrics: list(root.metricsLength(), (index) => root.metrics(index)),
    comparedMetrics: list(root.comparedMetricsLength(), (index) => root.comparedMetrics(index)),
    trendMetrics: list(root.trendMetricsLength(), (index) => root.trendMetrics(index)),
    provenance: list(root.provenanceLength(), (index) => root.provenance(index)).map((entry) =>
      decodeProvenance(entry, list),
    ),
    loadedSources: list(root.loadedSourcesLength(), (index) => root.loadedSources(index)).map((entry) => ({
      source: entry.source(),
      vintage: entry.vintage(),
      fetched: entry.fetched(),
    })),
    namesEdition: root.namesEdition(),
  };
}

/** Reads the entries of a list that has this length. */
type ReadList = <T>(length: number, at: (index: number) => T | null) => T[];

function decodeProvenance(entry: Provenance, list: ReadList): ProvenanceEntry {
  return {
    stateFips: entry.stateFips(),
    // encodeProvenance wrote a Section, and the section's checksum guarantees that it is unchanged.
    section: entry.section() as Section,
    metrics: list(entry.metricsLength(), (index) => entry.metrics(index)),
    source: entry.source(),
    label: entry.label(),
    year: entry.year(),
    tractVintage: entry.tractVintage(),
    stateRanked: entry.stateRanked(),
    tractCount: entry.tractCount(),
  };
}
