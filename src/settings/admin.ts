import { z } from 'zod';
import { baseUrl, flag, setting, splitList, text, wholeNumber } from './setting.js';

/** The settings of the admin plane, and of the commands that ask it. */
export const ADMIN_SETTINGS = {
  adminHost: setting({
    name: 'ADMIN_HOST',
    about: 'Address that the admin plane listens on.',
    accepts: 'a host name or an IP address; one beyond this machine needs TLS, or ADMIN_ALLOW_PLAINTEXT',
    fallback: '127.0.0.1',
    schema: text,
  }),
  adminPort: setting({
    name: 'ADMIN_PORT',
    about: 'TCP port of the admin plane; 0 takes a free one.',
    fallback: '8001',
    ...wholeNumber(0, 65_535),
  }),
  adminToken: setting({
    name: 'ADMIN_TOKEN',
    about: 'Token that opens the admin plane; unset, one is made in STATE_DIR, readable by its owner only.',
    accepts: '8 to 256 printable ASCII characters without blanks',
    fallback: '',
    schema: z.string().regex(/^(?:[\x21-\x7e]{8,256})?$/),
    secret: true,
  }),
  adminTlsCert: setting({
    name: 'ADMIN_TLS_CERT',
    about: 'File with the admin plane’s certificate, PEM; it speaks TLS then.',
    accepts: 'a path; ADMIN_TLS_KEY with it',
    fallback: '',
    schema: z.string(),
  }),
  adminTlsKey: setting({
    name: 'ADMIN_TLS_KEY',
    about: 'File with the key of that certificate, PEM.',
    accepts: 'a path; ADMIN_TLS_CERT with it',
    fallback: '',
    schema: z.string(),
  }),
  adminAllowPlaintext: setting({
    name: 'ADMIN_ALLOW_PLAINTEXT',
    about: 'Whether the admin plane may listen beyond this machine without TLS, as behind a proxy that has it.',
    fallback: 'false',
    ...flag(),
  }),
  adminAllowedHosts: setting({
    name: 'ADMIN_ALLOWED_HOSTS',
    about: 'Host names that the admin plane may be reached by, comma-separated, beside localhost and IP addresses.',
    accepts: 'host names without ports, comma-separated',
    fallback: '',
    schema: z
      .string()
      .transform(splitList)
      .pipe(z.array(z.string().regex(/^[A-Za-z0-9.-]+$/))),
  }),
  auditMaxEntries: setting({
    name: 'AUDIT_MAX_ENTRIES',
    about: 'Entries that the audit log keeps; the oldest beyond them are removed.',
    fallback: '100000',
    ...wholeNumber(100, 10_000_000),
  }),
  adminUrl: setting({
    name: 'ADMIN_URL',
    about: 'Where commands find the admin plane; unset for ADMIN_HOST and ADMIN_PORT.',
    fallback: '',
    ...baseUrl({ optional: true }),
  }),
};
