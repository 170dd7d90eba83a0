import { createRandom, type Random } from './random.js';

/** The traits behind a tract's values: all values are drawn from these few traits, and are therefore correlated. */
export interface Profile {
  readonly stateFips: string;
  /** The seed of the tract's own noise. */
  readonly noise: string;
  /** Residents in the latest year; 0 if the tract is uninhabited. */
  readonly residents: number;
  /** Socioeconomic deprivation, standard normal over the nation; smooth within a county, apart from some noise. */
  readonly deprivation: number;
  /** From 0 (remote) to 1 (inner city), by population density. */
  readonly urbanity: number;
  /** How much older the residents are than deprivation and place let expect, standard normal. */
  readonly ageing: number;
  /** The state's effect on the share of people without insurance, standard normal. */
  readonly coverageGap: number;
  /** Deviations from the national trend of population growth and of income growth, standard normal. */
  readonly growth: number;
  readonly prosperity: number;
}

/** The location and size of a tract, which its profile depends on. */
export interface Site {
  readonly lat: number;
  readonly lng: number;
  readonly areaSqm: number;
}

/** Of a thousand tracts, how many are uninhabited, and how many have only a few residents. */
const UNINHABITED_PER_MILLE = 3;
const SPARSE_PER_MILLE = 2;

/** In counties with fewer tracts, every tract is inhabited. */
const MIN_TRACTS_FOR_UNINHABITED = 8;

/** Weights of the county, of the smooth field within it, and of the tract itself; their squares add up to one. */
const COUNTY_WEIGHT = 0.55;
const FIELD_WEIGHT = 0.65;
const TRACT_WEIGHT = Math.sqrt(1 - COUNTY_WEIGHT ** 2 - FIELD_WEIGHT ** 2);

/** The profiles of a county's tracts, in order. They depend only on seed, county and sites. */
export function profileTracts(countyFips: string, sites: readonly Site[], seed: number): Profile[] {
  const stateFips = countyFips.slice(0, 2);
  const coverageGap = createRandom(seed, stateFips, 'coverage').normal();
  const random = createRandom(seed, countyFips, 'profiles');
  const countyDeprivation = random.normal();
  const countyGrowth = random.normal();
  const field = createField(sites, random);
  return sites.map((site, index) => {
    const residents = drawResidents(sites.length, random);
    return {
      stateFips,
      noise: `${seed}/${countyFips}/${index}`,
      residents,
      deprivation: COUNTY_WEIGHT * countyDeprivation + FIELD_WEIGHT * field(site) + TRACT_WEIGHT * random.normal(),
      urbanity: urbanityOf(residents, site.areaSqm),
      ageing: random.normal(),
      coverageGap,
      growth: 0.7 * countyGrowth + 0.7 * random.normal(),
      prosperity: random.normal(),
    };
  });
}

function drawResidents(tractsInCounty: number, random: Random): number {
  const draw = random.next() * 1000;
  const usual = Math.round(3900 * Math.exp(0.38 * random.normal()));
  if (draw < UNINHABITED_PER_MILLE && tractsInCounty >= MIN_TRACTS_FOR_UNINHABITED) return 0;
  if (draw > 1000 - SPARSE_PER_MILLE) return 5 + Math.floor(random.next() * 90);
  return Math.max(1200, Math.min(8000, usual));
}

/** 0 up to ten people per square kilometre, 1 from ten thousand on, logarithmic in between. */
function urbanityOf(residents: number, areaSqm: number): number {
  const perSquareKm = (Math.max(residents, 1) / areaSqm) * 1e6;
  return Math.max(0, Math.min(1, (Math.log10(perSquareKm) - 1) / 3));
}

/** The sum of three plane waves across the county with random directions and phases: smooth, about standard normal. */
function createField(sites: readonly Site[], random: Random): (site: Site) => number {
  const lats = sites.map(({ lat }) => lat);
  const extent = Math.max(0.01, lats.reduce((a, b) => Math.max(a, b)) - lats.reduce((a, b) => Math.min(a, b)));
  const waves = [1, 2, 3].map(() => {
    const direction = random.next() * 2 * Math.PI;
    const frequency = ((1 + random.next()) * Math.PI) / extent;
    return {
      x: Math.cos(direction) * frequency,
      y: Math.sin(direction) * frequency,
      phase: random.next() * 2 * Math.PI,
    };
  });
  const amplitude = Math.sqrt(2 / waves.length);
  return ({ lat, lng }) =>
    amplitude * waves.reduce((sum, { x, y, phase }) => sum + Math.sin(lng * x + lat * y + phase), 0);
}
