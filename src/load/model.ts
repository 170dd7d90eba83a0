import type { Geoid } from '../core/geoid.js';
import type { InputFile } from './input.js';
import type { Layer } from './layer.js';
import type { ProviderRow } from './providers/provider.js';
import type { ProviderIntake } from './providers/provider-intake.js';
import type { SourceId } from './source-id.js';
import type { SequenceKeys } from './sources/acs/sequence/sequence-keys.js';
import type { StreetSegment } from './street-segment.js';
import type { Tally } from './tally.js';

/** A text file with its first lines, to recognize it by. */
export interface TextProbe {
  readonly file: InputFile;
  /** The cells of the first line, byte order mark, quotes and padding removed. */
  readonly header: readonly string[];
  /** The cells of the lines after it, as far as the first 64 KiB hold them whole. */
  readonly rows: readonly (readonly string[])[];
  /** Whether header and rows are all that the file holds. */
  readonly whole: boolean;
  /** What makes it no text that can be read, in words for the maintainer; the cells are then what can be made out. */
  readonly fault: string | undefined;
  /** The raw first bytes as text, for what is no table (JSON). */
  readonly head: string;
  readonly delimiter: ',' | '\t' | '|';
}

/** What a source says of a file that it knows. */
export type Recognition = {
  readonly source: SourceId;
  /** The product in an agency's words, with its vintage: `CDC/ATSDR SVI 2022`. */
  readonly product: string;
} & (
  | {
      /** When the file is read; see `READ_TURNS`. 0 where it is left out. */
      readonly turn?: number;
      /** Damage within the text, such as NUL bytes, costs the rows that have it and not the compile. */
      readonly judgesDamage?: true;
      /** What the file may have been meant to be beside what is read of it, in words for the maintainer. */
      readonly doubt?: string | undefined;
      /** Reads the whole file into the sink. Throws `InputError` on a file that cannot be read to its end. */
      read(sink: LoadSink): Promise<void>;
    }
  | {
      /** Why a recognized product must not be loaded, in words for the maintainer. Ends the compile. */
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
 * A tract's outline: rings of interleaved x,y (lng,lat) in whole 1e-7 degrees, each closed (its first vertex repeated at
 * its end). A point is inside where it is within an odd number of rings.
 */
export interface Outline {
  readonly geoid: Geoid;
  readonly rings: readonly Int32Array[];
}

/** How much of a 2010 tract a 2020 tract shares (Census tract relationship file), areas in square metres. */
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

/** How far a county's name, as one source writes it, is to be trusted: the greatest wins. */
export const COUNTY_NAME_TRUST = { tiger: 5, acs: 4, svi: 3, ejscreen: 2, places: 1 } as const;

/** Where sources put what they read. The demo generator fills the same sink. */
export interface LoadSink {
  /** The rows' accounts; one a product, vintage and file, by the file's label. */
  tally(source: SourceId, product: string, file?: string): Tally;
  /** Whether rows of this state (two-digit FIPS) are wanted; the reason where they are not. */
  leaveOut(stateFips: string): 'other state' | 'territory' | undefined;
  /** A row that `tally` has read. Where another vintage of the state's tracts wins, the rows of this one are left out. */
  addTract(row: TractRow, vintageYear: number, tally: Tally): void;
  /** Values of a layer; layers of the same key are merged, and rows that contradict each other rejected. */
  addLayer(layer: Layer): void;
  /** The outline that won for its tract; at most one a tract. */
  addOutline(outline: Outline): void;
  /** `countyFips` has five digits; `name` is as people say it: `Albany County`. */
  addCountyName(countyFips: string, name: string, trust: number): void;
  /** One row of the Connecticut crosswalk: county-based GEOID to planning-region GEOID. */
  addConnecticutMove(from: Geoid, to: Geoid): void;
  addOverlap(overlap: TractOverlap): void;
  /** A provider whose position is known beforehand. */
  addProvider(row: ProviderRow): void;
  /** What the sources say of providers. */
  readonly providers: ProviderIntake;
  /** What ACS sequence files are read by. */
  readonly acsSequences: SequenceKeys;
  addStreetSegment(segment: StreetSegment): void;
}
