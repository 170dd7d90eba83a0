import { z } from 'zod';
import { baseUrl, setting, splitList, textIfSet, wholeNumber } from './setting.js';

const GEOCODERS = ['embedded', 'census', 'nominatim'] as const;

/** The public server. Volunteers run it, who require a contact and at most one request a second. */
export const PUBLIC_NOMINATIM_URL = 'https://nominatim.openstreetmap.org';

/** The settings of geocoding. */
export const GEOCODER_SETTINGS = {
  geocoder: setting({
    name: 'GEOCODER',
    about: 'Geocoders to ask, in this order; embedded works on this machine, census and nominatim send addresses out.',
    accepts: `one or more of ${GEOCODERS.join(', ')}, comma-separated, each at most once`,
    fallback: 'embedded',
    schema: z
      .string()
      .transform(splitList)
      .pipe(z.array(z.enum(GEOCODERS)).min(1))
      .refine((names) => new Set(names).size === names.length),
  }),
  geocoderTimeoutMs: setting({
    name: 'GEOCODER_TIMEOUT_MS',
    about: 'Time limit for census or nominatim in milliseconds, including queueing and retries.',
    fallback: '15000',
    ...wholeNumber(1, 600_000),
  }),
  geocoderCacheMaxSize: setting({
    name: 'GEOCODER_CACHE_MAX_SIZE',
    about: 'Maximum number of answers cached in memory for census and nominatim, encrypted.',
    fallback: '10000',
    ...wholeNumber(0, 1_000_000),
  }),
  censusUrl: setting({
    name: 'CENSUS_URL',
    about: 'Base URL of the Census geocoder, without the path that the service adds.',
    fallback: 'https://geocoding.geo.census.gov/geocoder',
    ...baseUrl(),
  }),
  nominatimUrl: setting({
    name: 'NOMINATIM_URL',
    about: 'Base URL of Nominatim, without the path that the service adds.',
    fallback: PUBLIC_NOMINATIM_URL,
    ...baseUrl(),
  }),
  nominatimContact: setting({
    name: 'NOMINATIM_CONTACT',
    about: 'Contact for Nominatim’s operators, such as an e-mail address; required for the public server.',
    accepts: 'up to 200 printable ASCII characters without parentheses, not only blanks',
    fallback: '',
    schema: textIfSet(z.string().regex(/^[\x20-\x27\x2a-\x7e]{0,200}$/)),
  }),
  nominatimRequestsPerSecond: setting({
    name: 'NOMINATIM_REQUESTS_PER_SECOND',
    about: 'Maximum requests to Nominatim per second, across all processes; the public server allows 1.',
    fallback: '1',
    ...wholeNumber(1, 1000),
  }),
};
