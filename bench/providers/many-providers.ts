import { parseGeoid } from '../../src/core/geoid.js';
import { PROVIDER_TYPES, type ProviderType } from '../../src/core/provider-types.js';
import { Intake } from '../../src/load/intake/intake.js';
import type { ProviderRow } from '../../src/load/providers/provider.js';
import { publishIntake, publishing } from '../../src/load/publish-intake.js';
import { impossibleNpi } from '../../src/load/synthetic/npi.js';
import { createRandom, type Random } from '../../src/load/synthetic/random.js';

/** Made-up towns of all sizes, with providers as dense as in real ones. */
const TOWNS = 3000;
const WEST = -122;
const EAST = -72;
const SOUTH = 28;
const NORTH = 47;

/** Taken in turn: seven of ten providers are primary-care clinicians, as in reality; the other types share the rest. */
export const TYPES_IN_TURN: readonly ProviderType[] = PROVIDER_TYPES.flatMap((type) =>
  Array<ProviderType>(type === 'pcp' ? 7 * (PROVIDER_TYPES.length - 1) : 3).fill(type),
);

/** Publishes a dataset of one tract and `count` made-up providers all over the country. */
export async function publishManyProviders(outputDir: string, count: number): Promise<void> {
  const random = createRandom(1, 'providers', 'towns');
  const intake = new Intake({ territories: false });
  const geoid = parseGeoid('27001000100');
  if (!geoid) throw new Error('not a GEOID');
  const tally = intake.tally('gazetteer', 'Synthetic gazetteer 2023');
  tally.read++;
  intake.addTract({ geoid, lat: 45, lng: -94, landSqm: 1, waterSqm: 0 }, 2023, tally);
  const towns = Array.from({ length: TOWNS }, () => ({
    lat: SOUTH + random.next() * (NORTH - SOUTH),
    lng: WEST + random.next() * (EAST - WEST),
    // High powers of a uniform random number: most towns are small, a few are large.
    spread: 0.01 + 0.3 * random.next() ** 4,
    weight: random.next() ** 6,
  }));
  let weights = 0;
  const ends = towns.map(({ weight }) => {
    weights += weight;
    return weights;
  });
  for (let index = 0; index < count; index++) {
    const wanted = random.next() * weights;
    const town = towns[ends.findIndex((end) => end >= wanted)] ?? { lat: 45, lng: -94, spread: 0.1 };
    intake.addProvider(provider(index, town, random));
  }
  const quiet = { line: () => {}, step: () => {} };
  await publishing(outputDir, (publication) => publishIntake(intake, publication, { readFrom: 'synthetic' }, quiet));
}

function provider(
  index: number,
  town: { readonly lat: number; readonly lng: number; readonly spread: number },
  random: Random,
): ProviderRow {
  const providerType = TYPES_IN_TURN[index % TYPES_IN_TURN.length] ?? 'pcp';
  const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
  return {
    npi: impossibleNpi(index),
    providerName: `Synthia Q. Demo-Walker ${index}`,
    credential: 'MD',
    primaryTaxonomy: '207Q00000X',
    taxonomyDescription: 'Family Medicine Physician',
    providerType,
    practiceAddress: `${index % 9999} N Samplewood Ave, Ste 300`,
    practiceCity: 'Sampleton',
    practiceState: 'MN',
    practiceZip: '55001',
    phone: '612-555-0100',
    isFqhc: providerType === 'fqhc',
    entityType: '1',
    gender: 'F',
    lat: round(town.lat + random.normal() * town.spread),
    lng: round(town.lng + random.normal() * town.spread),
    locationQuality: 'address_range',
  };
}
