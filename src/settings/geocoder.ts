import { z } from 'zod';
import { baseUrl, setting, splitList, wholeNumber } from './setting.js';

const GEOCODERS = ['embedded', 'census', 'nominatim'] as const;

/** The public server. Volunteers run it, who require a contact and at most one request a second. */
export const PUBLIC_NOMINATIM_URL = 'https://nominatim.openstreetmap.org';

/** The settings of geocoding. */
export const GEOCODER_SETTINGS = {
  geocoder: setting({
    name: 'GEOCODER',
    about:
      'Who finds addresses, asked in this order: embedded for the loaded address ranges and no network; census and nominatim send addresses out.',
    accepts: `one or more of ${GEOCODERS.join(', ')}, comma-separated, none twice`,
    fallback: 'embedded',
    schema: z
      .string()
      .transform(splitList)
      .pipe(z.array(z.enum(GEOCODERS)).min(1))
      .refine((names) => new Set(names).size === names.length),
  }),
  geocoderTimeoutMs: setting({
    name: 'GEOCODER_TIMEOUT_MS',
    about: 'Milliseconds after which census or nominatim is given up; waiting for a turn and trying again count.',
    fallback: '15000',
    ...wholeNumber(1, 600_000),
  }),
  geocoderCacheMaxSize: setting({
    name: 'GEOCODER_CACHE_MAX_SIZE',
    about: 'Most answers of census and of nominatim kept in memory, sealed.',
    fallback: '10000',
    ...wholeNumber(0, 1_000_000),
  }),
  censusUrl: setting({
    name: 'CENSUS_URL',
    about: 'Where the Census geocoder is, without the path that the service adds.',
    fallback: 'https://geocoding.geo.census.gov/geocoder',
    ...baseUrl(),
  }),
  nominatimUrl: setting({
    name: 'NOMINATIM_URL',
    about: 'Where Nominatim is, without the path that the service adds.',
    fallback: PUBLIC_NOMINATIM_URL,
    ...baseUrl(),
  }),
  nominatimContact: setting({
    name: 'NOMINATIM_CONTACT',
    about: 'How Nominatim’s operators reach you, such as an e-mail address; needed with the public server.',
    accepts: 'up to 200 printable ASCII characters without parentheses',
    fallback: '',
    schema: z.string().regex(/^[\x20-\x27\x2a-\x7e]{0,200}$/),
  }),
  nominatimRequestsPerSecond: setting({
    name: 'NOMINATIM_REQUESTS_PER_SECOND',
    about: 'Most requests to Nominatim in a second, of all processes together; the public server allows 1.',
    fallback: '1',
    ...wholeNumber(1, 1000),
  }),
};
