import { parseGeoid } from '../../core/geoid.js';
import type { LoadSink } from '../intake/load-sink.js';
import { COUNTY_NAME_TRUST } from '../sources/county-names.js';
import { readTractCounts } from '../tract-counts.js';
import { buildCountyMap, type County, type CountyMap } from './county-map.js';
import { addLayers, type Subject } from './layers.js';
import { measure } from './measure.js';
import { createPostalPlan, type PostalPlan } from './postal-plan.js';
import { profileTracts } from './profile.js';
import { staffCounty } from './providers.js';
import { createRandom } from './random.js';
import type { Rings } from './rings.js';
import { layStreets } from './streets.js';
import { tile } from './tile.js';
import { tractCodes } from './tract-codes.js';
import { weave } from './weave.js';

/** What to generate. */
export interface SyntheticOptions {
  /** Two-digit FIPS codes; undefined for the 50 states and DC. */
  readonly states?: ReadonlySet<string>;
  /** Determines the nation. A state comes out the same for a seed, whichever other states are generated. */
  readonly seed: number;
  /** Called for each state before its tracts are added, and once before the values. */
  readonly onProgress?: (text: string) => void;
}

/** The vintage of the real gazetteer from which the tract counts are taken. */
const VINTAGE_YEAR = 2023;
const GAZETTEER = `Synthetic gazetteer ${VINTAGE_YEAR}`;

/** The greatest share of water in a tract's area. */
const MAX_WATER_SHARE = 0.12;

interface TiledCounty extends County {
  readonly tracts: readonly Rings[];
}

/**
 * Fills the sink with a synthetic nation: real states and counties with their real numbers of tracts (84,415 in all), but
 * fictional tracts and values. Tracts tile the counties exactly: neighbours have the same vertices wherever they meet, also
 * across county and state borders. Tracts contain streets with address ranges and providers. Every name says that it is
 * synthetic. Takes seconds.
 */
export function synthesize(options: SyntheticOptions, sink: LoadSink): void {
  const map = buildCountyMap();
  const counts = readTractCounts();
  const wanted = tileCounties(map, counts, options);
  const plan = createPostalPlan(counts);
  const tracts = sink.tally('gazetteer', GAZETTEER);
  const outlines = sink.tally('tiger', `Synthetic outlines ${VINTAGE_YEAR}`);
  const subjects: Subject[] = [];
  let state = '';
  for (const county of wanted) {
    if (!county.fips.startsWith(state) || state === '') {
      state = county.fips.slice(0, 2);
      options.onProgress?.(`tracts of state ${state}`);
    }
    tracts.read += county.tracts.length;
    outlines.read += county.tracts.length;
    for (const subject of addCounty(county, map, plan, options.seed, sink)) subjects.push(subject);
  }
  options.onProgress?.(`values of ${subjects.length} tracts`);
  addLayers(subjects, sink);
}

/**
 * Returns the wanted counties with their tracts. Adjacent counties are tiled too, but not returned: their cuts add vertices
 * to the common border, which must be there whether or not the neighbour is wanted.
 */
function tileCounties(
  { counties, seams }: CountyMap,
  counts: ReadonlyMap<string, number>,
  { states, seed }: SyntheticOptions,
): TiledCounty[] {
  const isWanted = ({ fips }: County): boolean => states?.has(fips.slice(0, 2)) ?? true;
  const wantedSeams = new Set(counties.filter(isWanted).flatMap(({ outline }) => outline.seams));
  const tiled: TiledCounty[] = [];
  for (const county of counties) {
    if (!county.outline.seams.some((seam) => wantedSeams.has(seam))) continue;
    const random = createRandom(seed, county.fips, 'tiles');
    const tracts = tile(county.outline, counts.get(county.fips) ?? 1, seams, random);
    if (isWanted(county)) tiled.push({ ...county, tracts });
  }
  return tiled;
}

function addCounty(
  { fips, name, tracts }: TiledCounty,
  { seams }: CountyMap,
  plan: PostalPlan,
  seed: number,
  sink: LoadSink,
): Subject[] {
  const outlines = tracts.map((tract) => weave(tract, seams));
  const sites = outlines.map(measure);
  const profiles = profileTracts(fips, sites, seed);
  const codes = tractCodes(profiles.map(({ residents }) => residents === 0));
  const random = createRandom(seed, fips, 'water');
  sink.addCountyName(fips, name, COUNTY_NAME_TRUST.tiger);
  const tally = sink.tally('gazetteer', GAZETTEER);
  const subjects: Subject[] = [];
  for (const [index, site] of sites.entries()) {
    const geoid = parseGeoid(`${fips}${codes[index]}`);
    const [rings, profile] = [outlines[index], profiles[index]];
    if (!geoid || !rings || !profile) throw new Error(`county ${fips} has too many tracts`);
    const waterSqm = Math.round(site.areaSqm * MAX_WATER_SHARE * random.next() ** 4);
    const { lat, lng } = site;
    sink.addTract({ geoid, lat, lng, landSqm: Math.round(site.areaSqm) - waterSqm, waterSqm }, VINTAGE_YEAR, tally);
    sink.addOutline({ geoid, rings });
    subjects.push({ geoid, profile });
  }
  const streets = layStreets(fips, outlines, plan, seed);
  for (const segment of streets.flat()) sink.addStreetSegment(segment);
  const ground = profiles.map((profile, index) => ({ profile, streets: streets[index] ?? [] }));
  for (const provider of staffCounty(fips, ground, plan, seed)) sink.addProvider(provider);
  return subjects;
}
