import type { Geoid } from '../../../src/core/geoid.js';
import type { Layer } from '../../../src/load/intake/layer.js';
import type { LoadSink } from '../../../src/load/intake/load-sink.js';
import type { StreetSegment } from '../../../src/load/intake/street-segment.js';
import { Tally } from '../../../src/load/intake/tally.js';
import type { Outline, TractRow } from '../../../src/load/intake/tract-rows.js';
import type { ProviderRow } from '../../../src/load/providers/provider.js';
import { ProviderIntake } from '../../../src/load/providers/provider-intake.js';
import { createSequenceKeys } from '../../../src/load/sources/acs/sequence/sequence-keys.js';
import { type SyntheticOptions, synthesize } from '../../../src/load/synthetic/synthesize.js';

/** What a run gave, as the loader would get it. */
export interface Recording {
  readonly tracts: ReadonlyMap<Geoid, TractRow>;
  readonly outlines: ReadonlyMap<Geoid, Outline>;
  readonly countyNames: ReadonlyMap<string, string>;
  readonly layers: readonly Layer[];
  readonly tallies: readonly Tally[];
  readonly providers: readonly ProviderRow[];
  readonly streetSegments: readonly StreetSegment[];
}

/** Without providers and streets: of a whole nation they would stay for as long as the tests last. */
export type TractRecording = Omit<Recording, 'providers' | 'streetSegments'>;

/** Runs the generator into a sink that keeps everything and refuses what a generator has no business to give. */
export function record(options: SyntheticOptions): Recording {
  const providers: ProviderRow[] = [];
  const streetSegments: StreetSegment[] = [];
  const tracts = recordTracts(options, {
    addProvider: (row) => providers.push(row),
    addStreetSegment: (segment) => streetSegments.push(segment),
  });
  return { ...tracts, providers, streetSegments };
}

/** The same, but for providers and streets, which go where they are told. */
export function recordTracts(
  options: SyntheticOptions,
  places: Pick<LoadSink, 'addProvider' | 'addStreetSegment'> = { addProvider: () => {}, addStreetSegment: () => {} },
): TractRecording {
  const tracts = new Map<Geoid, TractRow>();
  const outlines = new Map<Geoid, Outline>();
  const countyNames = new Map<string, string>();
  const layers: Layer[] = [];
  const tallies: Tally[] = [];
  const refuse = (what: string) => () => {
    throw new Error(`not expected: ${what}`);
  };
  const addOnce = <Value>(map: Map<Geoid, Value>, geoid: Geoid, value: Value): void => {
    if (map.has(geoid)) throw new Error(`${geoid} twice`);
    map.set(geoid, value);
  };
  const sink: LoadSink = {
    tally(source, product) {
      let tally = tallies.find((known) => known.source === source && known.product === product);
      if (!tally) {
        tally = new Tally(source, product);
        tallies.push(tally);
      }
      return tally;
    },
    leaveOut: () => undefined,
    addTract: (row) => addOnce(tracts, row.geoid, row),
    addOutline: (outline) => addOnce(outlines, outline.geoid, outline),
    addCountyName: (countyFips, name) => countyNames.set(countyFips, name),
    addLayer: (layer) => layers.push(layer),
    addConnecticutMove: refuse('a Connecticut crosswalk'),
    addPopulationCenter: refuse('a center of population'),
    addOverlap: refuse('an overlap of delineations'),
    ...places,
    providers: new ProviderIntake(false),
    acsSequences: createSequenceKeys(),
  };
  synthesize(options, sink);
  return { tracts, outlines, countyNames, layers, tallies };
}

/** The values of one metric in the newest layer that has it, by tract; missing ones left out. */
export function newestValues({ layers }: TractRecording, path: string): Map<Geoid, number> {
  const withMetric = layers.filter(({ key }) => key.metrics.includes(path));
  const [newest] = withMetric.sort((a, b) => b.key.year - a.key.year);
  if (!newest) throw new Error(`no layer has ${path}`);
  const column = newest.key.metrics.indexOf(path);
  const values = new Map<Geoid, number>();
  for (const [geoid, position] of newest.positions) {
    const value = newest.valueAt(position, column);
    if (!Number.isNaN(value)) values.set(geoid, value);
  }
  return values;
}
