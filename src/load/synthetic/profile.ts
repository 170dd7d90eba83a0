import { createRandom, type Random } from './random.js';

/** What is behind a tract's values: all of them are drawn from these few traits, and so go together. */
export interface Profile {
  readonly stateFips: string;
  /** The seed of the tract's own noise. */
  readonly noise: string;
  /** People in the latest year; 0 where nobody lives. */
  readonly residents: number;
  /** Socioeconomic deprivation, standard normal over the nation, smooth within a county but for some noise. */
  readonly deprivation: number;
  /** From 0, remote, to 1, inner city, by the density of the population. */
  readonly urbanity: number;
  /** Older or younger than deprivation and place let expect, standard normal. */
  readonly ageing: number;
  /** What the state adds to the share of people without insurance, standard normal. */
  readonly coverageGap: number;
  /** Departures from the national trend, standard normal: growth of the population, and of incomes. */
  readonly growth: number;
  readonly prosperity: number;
}

/** Where a tract lies and how large it is, as its profile depends on it. */
export interface Site {
  readonly lat: number;
  readonly lng: number;
  readonly areaSqm: number;
}

/** How many of a thousand tracts nobody lives in, and how many have but a few residents. */
const UNINHABITED_PER_MILLE = 3;
const SPARSE_PER_MILLE = 2;

/** Counties with fewer tracts have people in each. */
const MIN_TRACTS_FOR_UNINHABITED = 8;

/** Weights of county, smooth field within it, and the tract alone; their squares add up to one. */
const COUNTY_WEIGHT = 0.55;
const FIELD_WEIGHT = 0.65;
const TRACT_WEIGHT = Math.sqrt(1 - COUNTY_WEIGHT ** 2 - FIELD_WEIGHT ** 2);

/** The profiles of a county's tracts, in their order. They depend on nothing but seed, county and sites. */
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

/** Ten people a square kilometre and fewer are remote, ten thousand and more an inner city; by orders of magnitude. */
function urbanityOf(residents: number, areaSqm: number): number {
  const perSquareKm = (Math.max(residents, 1) / areaSqm) * 1e6;
  return Math.max(0, Math.min(1, (Math.log10(perSquareKm) - 1) / 3));
}

/** Three plane waves across the county with random directions and phases: smooth, and about standard normal in all. */
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
