import type { ProviderIntake } from './provider-intake.js';
import { placeKey } from './site-key.js';

/** Adds each further practice location of a provider as another row: the same provider at another place. */
export function addFurtherLocations(intake: ProviderIntake): void {
  const { store, furtherLocations } = intake;
  if (furtherLocations.length === 0) return;
  const wanted = new Set(furtherLocations.map(({ npi }) => Number(npi)));
  const indices = new Map<number, number>();
  const taken = new Set<string>();
  for (let index = 0; index < store.size; index++) {
    const npi = store.npiAt(index);
    if (!wanted.has(npi)) continue;
    // A health center's sites share an NPI: the first row with it is the registry's.
    if (!indices.has(npi)) indices.set(npi, index);
    taken.add(`${npi}|${placeKey(store.practiceOf(index))}`);
  }
  for (const { npi, tally, ...practice } of furtherLocations) {
    const index = indices.get(Number(npi));
    const place = placeKey(practice);
    if (index === undefined) tally.leave('no kept provider has this NPI');
    else if (place !== undefined && taken.has(`${npi}|${place}`)) tally.leave('duplicate location');
    else {
      taken.add(`${npi}|${place}`);
      intake.add({ ...store.get(index), ...practice }, tally, undefined, true);
    }
  }
}
