import { z } from 'zod';
import { baseUrl, flag, setting, splitList, text, wholeNumber } from './setting.js';

/** The settings of the admin plane, and of the commands that ask it. */
export const ADMIN_SETTINGS = {
  adminHost: setting({
    name: 'ADMIN_HOST',
    about: 'Address that the admin plane listens on.',
    accepts: 'a host name or an IP address; if other machines can reach it, TLS or ADMIN_ALLOW_PLAINTEXT is required',
    fallback: '127.0.0.1',
    schema: text,
  }),
  adminPort: setting({
    name: 'ADMIN_PORT',
    about: 'TCP port of the admin plane; 0 picks a free one.',
    fallback: '8001',
    ...wholeNumber(0, 65_535),
  }),
  adminToken: setting({
    name: 'ADMIN_TOKEN',
    about: 'Token for the admin plane; if unset, one is generated in STATE_DIR, readable only by its owner.',
    accepts: '8 to 256 printable ASCII characters without spaces',
    fallback: '',
    schema: z.string().regex(/^(?:[\x21-\x7e]{8,256})?$/),
    secret: true,
  }),
  adminTlsCert: setting({
    name: 'ADMIN_TLS_CERT',
    about: 'PEM file with the admin plane’s certificate; turns TLS on.',
    accepts: 'a path; requires ADMIN_TLS_KEY',
    fallback: '',
    schema: z.string(),
  }),
  adminTlsKey: setting({
    name: 'ADMIN_TLS_KEY',
    about: 'PEM file with the private key of that certificate.',
    accepts: 'a path; requires ADMIN_TLS_CERT',
    fallback: '',
    schema: z.string(),
  }),
  adminAllowPlaintext: setting({
    name: 'ADMIN_ALLOW_PLAINTEXT',
    about:
      'Whether the admin plane may listen beyond this machine without TLS, for example behind a proxy that adds it.',
    fallback: 'false',
    ...flag,
  }),
  adminAllowedHosts: setting({
    name: 'ADMIN_ALLOWED_HOSTS',
    about: 'Host names under which the admin plane may be reached besides localhost and IP addresses, comma-separated.',
    accepts: 'host names without ports, comma-separated',
    fallback: '',
    schema: z
      .string()
      .transform(splitList)
      // Underscores occur in names of containers.
      .pipe(z.array(z.string().regex(/^[A-Za-z0-9._-]+$/))),
  }),
  auditMaxEntries: setting({
    name: 'AUDIT_MAX_ENTRIES',
    about: 'Maximum entries in the audit log; when it is full, the oldest are removed.',
    fallback: '100000',
    ...wholeNumber(100, 10_000_000),
  }),
  adminUrl: setting({
    name: 'ADMIN_URL',
    about: 'URL at which commands reach the admin plane; if unset, built from ADMIN_HOST and ADMIN_PORT.',
    fallback: '',
    ...baseUrl({ optional: true }),
  }),
};
