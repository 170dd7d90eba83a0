import type { LatLng } from '../../core/coordinates.js';
import type { Geoid } from '../../core/geoid.js';
import type { ProviderRow } from '../providers/provider.js';
import type { ProviderIntake } from '../providers/provider-intake.js';
import type { SourceId } from '../source-id.js';
import type { SequenceKeys } from '../sources/acs/sequence/sequence-keys.js';
import type { Layer } from './layer.js';
import type { StreetSegment } from './street-segment.js';
import type { Tally } from './tally.js';
import type { Outline, TractOverlap, TractRow } from './tract-rows.js';

/** Receives what the sources read. The demo generator fills the same sink. */
export interface LoadSink {
  /** The row counts of a product and file (by the file's label); the same arguments give the same tally. */
  tally(source: SourceId, product: string, file?: string): Tally;
  /** Why rows of this state (two-digit FIPS) are to be left out; undefined if they are wanted. */
  leaveOut(stateFips: string): 'other state' | 'territory' | undefined;
  /**
   * Adds a row that `tally` has counted as read. If another vintage of the state's tracts wins, the row is left out; if it
   * contradicts a row of its own vintage, it is rejected.
   */
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
  /** Adds where the center of the tract's population was in 2020. `file` is the label of the file that says so. */
  addPopulationCenter(geoid: Geoid, center: LatLng, file: string): void;
  /** Adds a provider whose position is already known. */
  addProvider(row: ProviderRow): void;
  /** What the sources tell about providers. */
  readonly providers: ProviderIntake;
  /** The keys needed to read ACS sequence files: lookups and geographies. */
  readonly acsSequences: SequenceKeys;
  addStreetSegment(segment: StreetSegment): void;
}
