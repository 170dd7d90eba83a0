import type { ZipCity } from '../write/write-addresses.js';
import type { ProviderIntake } from './provider-intake.js';

/** Yields which cities use which ZIPs, according to the providers' own addresses; each pair once. */
export function* zipCities({ store }: ProviderIntake): Generator<ZipCity> {
  const known = new Set<string>();
  for (let index = 0; index < store.size; index++) {
    const { practiceZip: zip, practiceCity: city, practiceState: state } = store.practiceOf(index);
    const key = `${zip}|${city}|${state}`;
    if (zip === null || city === null || state === null || known.has(key)) continue;
    known.add(key);
    yield { zip, city, state };
  }
}
