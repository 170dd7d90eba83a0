import { parseGeoid } from '../../src/core/geoid.js';
import { stateByFips } from '../../src/core/states.js';
import type { Layer } from '../../src/load/intake/layer.js';
import type { LoadSink } from '../../src/load/intake/load-sink.js';
import { Tally } from '../../src/load/intake/tally.js';
import type { TractOverlap, TractRow } from '../../src/load/intake/tract-rows.js';
import { ProviderIntake } from '../../src/load/providers/provider-intake.js';
import type { SourceId } from '../../src/load/source-id.js';
import { createSequenceKeys } from '../../src/load/sources/acs/sequence/sequence-keys.js';
import { valuesOf } from './layers.js';

/** A sink that records what it receives, so that tests can inspect it. */
export interface RecordingSink extends LoadSink {
  readonly tracts: (TractRow & { readonly year: number })[];
  readonly layers: Layer[];
  /** County names by five-digit county FIPS. */
  readonly countyNames: Map<string, string>;
  /** Connecticut's crosswalk, from old to new GEOIDs. */
  readonly moves: Map<string, string>;
  readonly overlaps: TractOverlap[];
  /** The only layer of a table; fails the test if there is not exactly one. */
  layer(table: string): Layer;
  /** A tract's value by metric path; undefined if the layer does not have the tract, NaN if the value is missing. */
  value(table: string, geoid: string, path: string): number | undefined;
  /** The only tally; fails the test if there is not exactly one. */
  onlyTally(): Tally;
  /** Tallies by product. */
  readonly tallies: ReadonlyMap<string, Tally>;
}

/** Creates a sink that wants all states, or only those in `states`, and no territories. */
export function recordingSink(states?: readonly string[], allProviders = false): RecordingSink {
  const tallies = new Map<string, Tally>();
  const layers: Layer[] = [];
  const tracts: RecordingSink['tracts'] = [];
  const countyNames = new Map<string, string>();
  const moves = new Map<string, string>();
  const overlaps: TractOverlap[] = [];
  const layerOf = (table: string): Layer => {
    const found = layers.filter(({ key }) => key.table === table);
    const [only] = found;
    if (!only || found.length > 1) throw new Error(`${found.length} layers of ${table}`);
    return only;
  };
  return {
    tracts,
    layers,
    countyNames,
    moves,
    overlaps,
    // One tally per product for all its files: tests of a source read a single file, or want the product's total.
    tally: (source: SourceId, product: string) => {
      const tally = tallies.get(product) ?? new Tally(source, product);
      tallies.set(product, tally);
      return tally;
    },
    leaveOut: (fips) => {
      if (stateByFips(fips)?.territory) return 'territory';
      return states === undefined || states.includes(fips) ? undefined : 'other state';
    },
    addTract: (row, year) => tracts.push({ ...row, year }),
    addLayer: (layer) => layers.push(layer),
    addOutline: () => undefined,
    addCountyName: (countyFips, name) => countyNames.set(countyFips, name),
    addPopulationCenter: () => {},
    addConnecticutMove: (from, to) => moves.set(from, to),
    addOverlap: (overlap) => overlaps.push(overlap),
    addProvider: () => undefined,
    providers: new ProviderIntake(allProviders),
    acsSequences: createSequenceKeys(),
    addStreetSegment: () => undefined,
    layer: layerOf,
    value: (table, geoid, path) => {
      const layer = layerOf(table);
      const key = parseGeoid(geoid);
      return key && valuesOf(layer, key)?.[layer.key.metrics.indexOf(path)];
    },
    tallies,
    onlyTally: () => {
      const [tally] = tallies.values();
      if (!tally || tallies.size > 1) throw new Error(`${tallies.size} tallies`);
      return tally;
    },
  };
}
