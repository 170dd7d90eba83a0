import { POSTAL_STATES } from './postal-table.js';

/** So many consecutive tracts of a county's list, mostly neighbors on the map, share a town and its ZIP. */
export const TRACTS_PER_TOWN = 10;

/** A made-up town with a ZIP of its own. */
export interface Town {
  readonly zip: string;
  readonly city: string;
}

/** Assigns towns to counties. It depends only on the table of tract counts, not on which states are generated. */
export interface PostalPlan {
  /** The town of a tract, by the tract's position in its county. */
  townOf(countyFips: string, tractIndex: number): Town;
  /** The number of tracts in the nation before the county's: added to a tract's position, it is the tract's number. */
  tractsBefore(countyFips: string): number;
}

interface Position {
  readonly tracts: number;
  readonly towns: number;
}

const ZIPS_PER_PREFIX = 100;

/** Plans the towns of all counties. ZIPs and names are unique within a state. */
export function createPostalPlan(tractCounts: ReadonlyMap<string, number>): PostalPlan {
  const before = new Map<string, Position>();
  const townsOfState = new Map<string, number>();
  let tracts = 0;
  for (const [countyFips, count] of [...tractCounts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const state = countyFips.slice(0, 2);
    const towns = townsOfState.get(state) ?? 0;
    before.set(countyFips, { tracts, towns });
    townsOfState.set(state, towns + Math.ceil(count / TRACTS_PER_TOWN));
    tracts += count;
  }
  const positionOf = (countyFips: string): Position => {
    const position = before.get(countyFips);
    if (!position) throw new Error(`county ${countyFips} is not in the table of tract counts`);
    return position;
  };
  return {
    tractsBefore: (countyFips) => positionOf(countyFips).tracts,
    townOf: (countyFips, tractIndex) => {
      const state = countyFips.slice(0, 2);
      const town = positionOf(countyFips).towns + Math.floor(tractIndex / TRACTS_PER_TOWN);
      return { zip: zipOf(state, town, townsOfState.get(state) ?? 1), city: cityName(town, Number(state)) };
    },
  };
}

/** The town's ZIP: towns are spread evenly over the state's ZIPs. */
function zipOf(stateFips: string, town: number, towns: number): string {
  const postal = POSTAL_STATES.get(stateFips);
  if (!postal) throw new Error(`no ZIP prefixes for state ${stateFips}`);
  const zips = (postal.lastPrefix - postal.firstPrefix + 1) * ZIPS_PER_PREFIX;
  if (towns > zips) throw new Error(`state ${stateFips} has more towns than ZIPs`);
  const zip = postal.firstPrefix * ZIPS_PER_PREFIX + Math.floor(((town + 0.5) * zips) / towns);
  return String(zip).padStart(5, '0');
}

const PREFIXES = ['', 'North ', 'East ', 'New ', 'Old ', 'Upper ', 'Lower ', 'Lake '];
const FIRSTS = ['Sample', 'Demo', 'Mock', 'Model', 'Trial', 'Specimen', 'Pseudo', 'Faux', 'Proto', 'Example'];
const SECONDS = 'ton ville burg field port ford dale haven wood mont bridge brook ridge view land'.split(' ');
const NAMES = PREFIXES.length * FIRSTS.length * SECONDS.length;
/** Coprime with the number of names, so that all names are used before one repeats. */
const NAME_STEP = 367;

/** A recognizably fictional name: `Sampleton`, `New Mockford`. */
function cityName(town: number, salt: number): string {
  if (town >= NAMES) throw new Error('more towns in a state than names');
  const name = (town * NAME_STEP + salt * 7) % NAMES;
  const [prefix, rest] = [name % PREFIXES.length, Math.floor(name / PREFIXES.length)];
  return `${PREFIXES[prefix]}${FIRSTS[rest % FIRSTS.length]}${SECONDS[Math.floor(rest / FIRSTS.length)]}`;
}
