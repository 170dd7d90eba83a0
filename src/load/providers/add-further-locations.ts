import type { ProviderIntake } from './provider-intake.js';
import { placeKey } from './site-key.js';

/** Adds a provider for each further practice location of one: the same provider, elsewhere. */
export function addFurtherLocations({ store, furtherLocations }: ProviderIntake): void {
  if (furtherLocations.length === 0) return;
  const wanted = new Set(furtherLocations.map(({ npi }) => Number(npi)));
  const indices = new Map<number, number>();
  for (let index = 0; index < store.size; index++) {
    const npi = store.npiAt(index);
    // A health center's sites share an NPI: the first is the registry's.
    if (wanted.has(npi) && !indices.has(npi)) indices.set(npi, index);
  }
  const taken = new Set<string>();
  for (const { npi, tally, ...practice } of furtherLocations) {
    const index = indices.get(Number(npi));
    const place = placeKey(practice);
    if (index === undefined) tally.leave('no provider that is kept has the NPI');
    else if (place !== undefined && (place === placeKey(store.practiceOf(index)) || taken.has(`${npi}|${place}`))) {
      tally.leave('the same place again');
    } else {
      if (place !== undefined) taken.add(`${npi}|${place}`);
      store.add({ ...store.get(index), ...practice }, tally, undefined, true);
    }
  }
}
