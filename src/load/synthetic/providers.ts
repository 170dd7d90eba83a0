import { roundTo } from '../../core/rounding.js';
import { stateByFips } from '../../core/states.js';
import type { Side } from '../../core/streets/street-line.js';
import { positionOnStreet, type StreetSegment } from '../intake/street-segment.js';
import type { Position, Practice as ProviderPractice, ProviderRow } from '../providers/provider.js';
import { DEMO_PROVIDERS, type DemoProvider, RURAL_CLINIC } from './demo-providers.js';
import { impossibleNpi } from './npi.js';
import type { PostalPlan } from './postal-plan.js';
import { POSTAL_STATES } from './postal-table.js';
import type { Profile } from './profile.js';
import { createRandom, type Random } from './random.js';

/** Gives about 250,000 providers in a nation of 330 million. */
const RESIDENTS_PER_PROVIDER = 1350;
/** More than the most populous tract can have. */
const MAX_PER_TRACT = 8;

/** Below this urbanity, a share of the providers are rural clinics. */
const RURAL_BELOW = 0.3;
const RURAL_CLINIC_SHARE = 0.12;

/** The share of community health centers that are federally qualified, although their taxonomy does not say so. */
const QUALIFIED_SHARE = 0.4;

const POSITION_DECIMALS = 6;

const WOMEN = 'Synthia Modella Demetria Fabrica Examplia Testina Mockina Pseudora'.split(' ');
const MEN = 'Demosthen Sampleton Mockwell Protos Specimo Fauxton Testus Modelio'.split(' ');
const MARKS = ['Demo', 'Sample', 'Mock', 'Synthetic'];
const FAMILIES =
  'Walker Nguyen Ortiz Johnson Patel Kim Okafor Rivera Schmidt Chen Haddad Kowalski Brown Begay Silva Larsen'.split(
    ' ',
  );

/** What providers are generated from: a tract's profile and streets. */
export interface ProviderGround {
  readonly profile: Profile;
  readonly streets: readonly StreetSegment[];
}

/**
 * Generates fictional providers for a county's tracts, in order: as many as the number of residents suggests, each at an
 * address in the tract. Their names are recognizably fictional, and their NPIs cannot be real. They depend only on seed and
 * county.
 */
export function staffCounty(
  countyFips: string,
  tracts: readonly ProviderGround[],
  plan: PostalPlan,
  seed: number,
): ProviderRow[] {
  const random = createRandom(seed, countyFips, 'providers');
  const rows: ProviderRow[] = [];
  tracts.forEach(({ profile, streets }, tract) => {
    if (streets.length === 0) return;
    const expected = profile.residents / RESIDENTS_PER_PROVIDER;
    const count = Math.min(MAX_PER_TRACT, Math.floor(expected + random.next()));
    const firstNpi = (plan.tractsBefore(countyFips) + tract) * MAX_PER_TRACT;
    for (let index = 0; index < count; index++) {
      const npi = impossibleNpi(firstNpi + index);
      rows.push(createProvider(npi, rows.length + 1, profile, pick(streets, random), random));
    }
  });
  return rows;
}

function createProvider(
  npi: string,
  number: number,
  profile: Profile,
  street: StreetSegment,
  random: Random,
): ProviderRow {
  const kind = pickKind(profile.urbanity, random);
  const described = {
    npi,
    ...identity(kind, number, random),
    primaryTaxonomy: kind.taxonomy,
    taxonomyDescription: kind.description,
    ...practice(street, random),
    phone: phoneNumber(street.stateFips, random),
  };
  const isQualified = kind.type === 'community_health_center' && random.next() < QUALIFIED_SHARE;
  const providerType = isQualified ? 'fqhc' : kind.type;
  return { ...described, providerType, isFqhc: providerType === 'fqhc' };
}

const TOTAL_WEIGHT = DEMO_PROVIDERS.reduce((sum, { weight }) => sum + weight, 0);

function pickKind(urbanity: number, random: Random): DemoProvider {
  if (urbanity < RURAL_BELOW && random.next() < RURAL_CLINIC_SHARE) return RURAL_CLINIC;
  let left = random.next() * TOTAL_WEIGHT;
  for (const kind of DEMO_PROVIDERS) {
    left -= kind.weight;
    if (left < 0) return kind;
  }
  return RURAL_CLINIC;
}

type Identity = Pick<ProviderRow, 'providerName' | 'credential' | 'entityType' | 'gender'>;

/** `Synthia Q. Demo-Walker`, `Synthetic Family Clinic 12`. */
function identity({ person, organization }: DemoProvider, number: number, random: Random): Identity {
  if (!person) {
    const providerName = `Synthetic ${organization?.title ?? 'Clinic'} ${number}`;
    return { providerName, credential: null, entityType: '2', gender: null };
  }
  const gender = random.next() < 0.55 ? 'F' : 'M';
  const given = pick(gender === 'F' ? WOMEN : MEN, random);
  const initial = String.fromCharCode(65 + Math.floor(random.next() * 26));
  const providerName = `${given} ${initial}. ${pick(MARKS, random)}-${pick(FAMILIES, random)}`;
  return { providerName, credential: pick(person.credentials, random), entityType: '1', gender };
}

type Practice = Omit<ProviderPractice, 'phone'> & Position;

/** A random house on the street, at the position that the geocoder gives it. */
function practice(street: StreetSegment, random: Random): Practice {
  const side: Side = street.right && random.next() < 0.5 ? 'right' : 'left';
  const { from, to, zip } = street[side] ?? { from: 0, to: 0, zip: '' };
  const houseNumber = Math.min(from, to) + 2 * Math.floor(random.next() * (Math.abs(to - from) / 2 + 1));
  const { lat, lng } = positionOnStreet(street, side, houseNumber);
  return {
    practiceAddress: `${houseNumber} ${street.street}`,
    practiceCity: street.city,
    practiceState: stateByFips(street.stateFips)?.abbreviation ?? null,
    practiceZip: zip,
    lat: roundTo(lat, POSITION_DECIMALS),
    lng: roundTo(lng, POSITION_DECIMALS),
    locationQuality: 'address_range',
  };
}

/** 555-0100 to 555-0199 are reserved for fiction in every area code. */
function phoneNumber(stateFips: string, random: Random): string {
  const line = 100 + Math.floor(random.next() * 100);
  return `${POSTAL_STATES.get(stateFips)?.areaCode ?? '800'}-555-0${line}`;
}

function pick<T>(values: readonly T[], random: Random): T {
  const value = values[Math.floor(random.next() * values.length)];
  if (value === undefined) throw new RangeError('nothing to pick from');
  return value;
}
