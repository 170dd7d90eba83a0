import { join } from 'node:path';
import type { WrittenFile } from '../../catalog/directory/generation-name.js';
import { groupBy } from '../../core/group-by.js';
import { STATES } from '../../core/states.js';
import { addressesFileName } from '../../format/addresses/shard.js';
import { type AddressShardBuilder, createShardBuilder } from '../../format/addresses/shard-builder.js';
import { writeAddressShard } from '../../format/addresses/shard-writer.js';
import type { LoadSink } from '../intake/load-sink.js';
import { lineOf, type StreetSegment } from '../intake/street-segment.js';
import { type Locate, tractBeside } from '../outlines/side-tract.js';
import type { Progress } from '../progress.js';
import type { CountyFile } from '../sources/addrfeat/county-file.js';
import { chooseCounties, readCounty } from '../sources/addrfeat/index.js';
import { choosePlaces, leaveAll, openPlaces, type PlaceFile } from '../sources/tiger-place/index.js';

/** A city that uses a ZIP. */
export interface ZipCity {
  /** Five digits. */
  readonly zip: string;
  readonly city: string;
  /** Two letters. */
  readonly state: string;
}

/** The inputs from which the address files are written. */
export interface AddressInput {
  readonly counties: readonly CountyFile[];
  /** Cities and other places: a ZIP gets the names of those that its address ranges lie in. */
  readonly placeFiles: readonly PlaceFile[];
  readonly segments: readonly StreetSegment[];
  readonly zipCities: Iterable<ZipCity>;
}

/** A temporary file that exists only while a state is read. */
const PLACES_FILE = 'places-of-state';

/**
 * Reads address ranges and writes one file per state. Only one state, and of its counties only one, is in memory at a time,
 * so that the nation takes no more memory than its largest state. `locate` tells in which tract each side of a street lies.
 */
export async function writeAddresses(
  directory: string,
  { counties, placeFiles, segments, zipCities }: AddressInput,
  sink: LoadSink,
  locate: Locate,
  progress: Progress,
): Promise<WrittenFile[]> {
  const chosen = chooseCounties(counties, sink);
  const segmentsOf = groupBy(segments, ({ stateFips }) => stateFips);
  const countiesOf = groupBy(chosen, ({ countyFips }) => countyFips.slice(0, 2));
  const citiesOf = groupBy(zipCities, ({ state }) => state);
  const placesOf = choosePlaces(placeFiles, sink);
  const files: WrittenFile[] = [];
  let done = 0;
  for (const { fips, abbreviation } of STATES) {
    const builder = createShardBuilder(fips);
    for (const segment of segmentsOf.get(fips) ?? []) addSegment(segment, builder, locate);
    const ofState = countiesOf.get(fips) ?? [];
    const places = placesOf.get(fips);
    if (places && ofState.length === 0) leaveAll(places, 'the input has no address ranges of this state', sink);
    const open =
      places && ofState.length > 0 ? await openPlaces(places, join(directory, PLACES_FILE), sink) : undefined;
    try {
      for (const county of ofState) {
        const tally = sink.tally('addrfeat', county.product, county.set.label);
        await readCounty(county, builder, { locate, placeAt: open?.placeAt }, tally);
        progress.step('reading address ranges', ++done, chosen.length);
      }
    } finally {
      open?.close();
    }
    if (builder.rangeCount === 0) continue;
    for (const { zip, city } of citiesOf.get(abbreviation) ?? []) builder.addCity(zip, city);
    const name = addressesFileName(fips);
    files.push({ name, sections: writeAddressShard(join(directory, name), builder.content()) });
  }
  return files;
}

/** Adds a segment to its state's shard: the ranges of both sides, and its city. */
export function addSegment(segment: StreetSegment, builder: AddressShardBuilder, locate: Locate): void {
  const { street, city } = segment;
  const line = lineOf(segment);
  const edge = builder.addEdge(line);
  for (const side of ['left', 'right'] as const) {
    const range = segment[side];
    if (!range) continue;
    builder.addRange({
      ...range,
      street,
      prefix: '',
      mixed: false,
      side,
      edge,
      tract: tractBeside(line, side, locate),
    });
    if (city !== '' && range.zip !== '') builder.addCity(range.zip, city);
  }
}
