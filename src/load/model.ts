import type { LatLng } from '../core/coordinates.js';
import type { Geoid } from '../core/geoid.js';
import type { InputFile } from './input.js';
import type { Layer } from './layer.js';
import type { ProviderRow } from './providers/provider.js';
import type { ProviderIntake } from './providers/provider-intake.js';
import type { SourceId } from './source-id.js';
import type { SequenceKeys } from './sources/acs/sequence/sequence-keys.js';
import type { StreetSegment } from './street-segment.js';
import type { Tally } from './tally.js';

/** A text file and its first lines, by which its source is recognized. */
export interface TextProbe {
  readonly file: InputFile;
  /** The cells of the first line, without byte order mark, quotes and padding. */
  readonly header: readonly string[];
  /** The cells of the following lines that are complete within the file's first 64 KiB. */
  readonly rows: readonly (readonly string[])[];
  /** Whether header and rows are the file's entire content. */
  readonly whole: boolean;
  /** Why the text cannot be read, as a message for the maintainer; the cells are then a best effort. */
  readonly fault: string | undefined;
  /** The first bytes as raw text, for content other than tables (JSON). */
  readonly head: string;
  readonly delimiter: ',' | '\t' | '|';
}

/** A source's answer for a file that it recognizes. */
export type Recognition = {
  readonly source: SourceId;
  /** The agency's name for the product, with its vintage: `CDC/ATSDR SVI 2022`. */
  readonly product: string;
} & (
  | {
      /** When the file is read relative to others; see `READ_TURNS`. 0 by default. */
      readonly turn?: number;
      /** Damage within the text, such as NUL bytes, only rejects the damaged rows and does not end the compile. */
      readonly judgesDamage?: true;
      /** What else the file may have been meant to provide, as a message for the maintainer. */
      readonly doubt?: string | undefined;
      /** Reads the whole file into the sink. Throws `InputError` if the file cannot be read to its end. */
      read(sink: LoadSink): Promise<void>;
    }
  | {
      /** Why this product must not be loaded, as a message for the maintainer. Ends the compile. */
      readonly refuse: string;
    }
);

/** A tract of the spine with its internal point (gazetteer INTPTLAT/INTPTLONG, degrees) and areas in square metres. */
export interface TractRow {
  readonly geoid: Geoid;
  readonly lat: number;
  readonly lng: number;
  readonly landSqm: number;
  readonly waterSqm: number;
}

/**
 * A tract's outline: rings of interleaved x,y (lng,lat) in whole 1e-7 degrees, each closed (the last vertex repeats the
 * first). A point is inside the outline if it is within an odd number of rings.
 */
export interface Outline {
  readonly geoid: Geoid;
  readonly rings: readonly Int32Array[];
}

/** The overlap of a 2010 and a 2020 tract (Census tract relationship file); areas in square metres. */
export interface TractOverlap {
  readonly geoid2010: Geoid;
  readonly geoid2020: Geoid;
  readonly landPartSqm: number;
  readonly land2010Sqm: number;
  readonly land2020Sqm: number;
  readonly waterPartSqm: number;
  readonly water2010Sqm: number;
  readonly water2020Sqm: number;
}

/** How far each source's spelling of county names is trusted: the highest value wins. */
export const COUNTY_NAME_TRUST = { tiger: 5, acs: 4, svi: 3, ejscreen: 2, places: 1 } as const;

/** Receives what the sources read. The demo generator fills the same sink. */
export interface LoadSink {
  /** The row counts of a product and file (by the file's label); the same arguments give the same tally. */
  tally(source: SourceId, product: string, file?: string): Tally;
  /** Why rows of this state (two-digit FIPS) are to be left out; undefined if they are wanted. */
  leaveOut(stateFips: string): 'other state' | 'territory' | undefined;
  /** Adds a row that `tally` has counted as read. If another vintage of the state's tracts wins, the row is left out. */
  addTract(row: TractRow, vintageYear: number, tally: Tally): void;
  /** Adds a layer. Layers of the same key are merged, and rows that contradict each other are rejected. */
  addLayer(layer: Layer): void;
  /** Adds the outline that was chosen for its tract; at most one per tract. */
  addOutline(outline: Outline): void;
  /** `countyFips` has five digits; `name` is the full common name: `Albany County`. */
  addCountyName(countyFips: string, name: string, trust: number): void;
  /** Adds one row of the Connecticut crosswalk: county-based GEOID to planning-region GEOID. */
  addConnecticutMove(from: Geoid, to: Geoid): void;
  addOverlap(overlap: TractOverlap): void;
  /** Adds where the center of the tract's population was in 2020. */
  addPopulationCenter(geoid: Geoid, center: LatLng): void;
  /** Adds a provider whose position is already known. */
  addProvider(row: ProviderRow): void;
  /** What the sources tell about providers. */
  readonly providers: ProviderIntake;
  /** The keys needed to read ACS sequence files: lookups and geographies. */
  readonly acsSequences: SequenceKeys;
  addStreetSegment(segment: StreetSegment): void;
}
