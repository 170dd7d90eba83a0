import { isIP } from 'node:net';
import { z } from 'zod';
import { secretKeyText } from '../core/secret-key-text.js';
import { hostOf } from '../core/web-url.js';
import { flag, setting, splitList } from './setting.js';

/** A host name as in URLs (international names in ASCII); underscores occur in names of containers. */
const HOST_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * Normalizes a host to the notation that parsed URLs have, without brackets and without a trailing dot: `127.1` becomes
 * 127.0.0.1, `0:0:0:0:0:0:0:1` becomes ::1. In another notation it would never equal the host of a URL. Undefined if the
 * text is no host.
 */
function readHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  const isIPv6 = isIP(bare) === 6;
  // Outside of an IPv6 address, these characters begin another part of a URL, or are silently dropped by the parser.
  if (!isIPv6 && /[[\]:/?#@%\\\s]/.test(text)) return undefined;
  const url = `http://${isIPv6 ? `[${bare}]` : text}`;
  if (!URL.canParse(url)) return undefined;
  const name = hostOf(new URL(url));
  return isIP(name) !== 0 || HOST_NAME.test(name) ? name : undefined;
}

const host = z.string().transform((text, context): string => {
  const read = readHost(text);
  if (read !== undefined) return read;
  context.addIssue('no host');
  return z.NEVER;
});

/** The settings of webhooks. */
export const WEBHOOK_SETTINGS = {
  webhookSecretKey: setting({
    name: 'WEBHOOK_SECRET_KEY',
    about:
      'Key that encrypts subscribers’ secrets; if unset, one is generated in STATE_DIR, readable only by its owner.',
    accepts: '64 hexadecimal digits',
    fallback: '',
    schema: z.union([z.literal('').transform(() => undefined), secretKeyText]),
    secret: true,
  }),
  webhookHttpsOnly: setting({
    name: 'WEBHOOK_HTTPS_ONLY',
    about: 'Whether to refuse http and send events only over https.',
    fallback: 'false',
    ...flag,
  }),
  webhookAllowedHosts: setting({
    name: 'WEBHOOK_ALLOWED_HOSTS',
    about: 'Local or private hosts that may receive events, such as localhost during development, comma-separated.',
    accepts: 'host names and IP addresses without ports, comma-separated',
    fallback: '',
    schema: z.string().transform(splitList).pipe(z.array(host)),
  }),
};
