import { z } from 'zod';
import { setting } from './setting.js';

/** The settings of the commands that download official files; the service asks none of these addresses. */
export const FETCH_SETTINGS = {
  censusApiKey: setting({
    name: 'CENSUS_API_KEY',
    about: 'Key for the Census API, used by `fetch --sources acs-api`.',
    accepts: 'letters and digits',
    fallback: '',
    schema: z.string().regex(/^[A-Za-z0-9]*$/),
    secret: true,
  }),
  // Secret, since a proxy's URL may hold a password. Not validated here, so that a bad proxy does not stop `serve`.
  httpProxy: setting({
    name: 'HTTP_PROXY',
    otherName: 'http_proxy',
    about: 'Proxy for http downloads by `fetch` and `update`.',
    accepts: 'an http or https URL; checked by `fetch` and `update`, not by `serve`',
    fallback: '',
    schema: z.string(),
    secret: true,
  }),
  httpsProxy: setting({
    name: 'HTTPS_PROXY',
    otherName: 'https_proxy',
    about: 'Proxy for https downloads by `fetch` and `update`.',
    accepts: 'an http or https URL; checked by `fetch` and `update`, not by `serve`',
    fallback: '',
    schema: z.string(),
    secret: true,
  }),
  noProxy: setting({
    name: 'NO_PROXY',
    otherName: 'no_proxy',
    about: 'Hosts that `fetch` and `update` reach without a proxy, comma-separated.',
    accepts: 'host names, comma-separated, or * for all',
    fallback: '',
    schema: z.string(),
  }),
};
