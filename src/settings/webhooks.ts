import { isIP } from 'node:net';
import { z } from 'zod';
import { setting, splitList } from './setting.js';

/** A host's name as URLs have it, international ones in ASCII; with underscores, as containers' names have them at times. */
const HOST_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * A host as URLs have it, without brackets and without the dot that may end a name: of `127.1` 127.0.0.1, of
 * `0:0:0:0:0:0:0:1` ::1. In another notation it would never be the host of any URL. Undefined for what is no host.
 */
function readHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  const isIPv6 = isIP(bare) === 6;
  // Anywhere else these begin another part of a URL, or are dropped from it without a word.
  if (!isIPv6 && /[[\]:/?#@%\\\s]/.test(text)) return undefined;
  const url = `http://${isIPv6 ? `[${bare}]` : text}`;
  if (!URL.canParse(url)) return undefined;
  const name = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
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
      'Key that subscribers’ secrets are encrypted with; unset, one is made in STATE_DIR, readable by its owner only.',
    accepts: '64 hexadecimal digits',
    fallback: '',
    schema: z
      .string()
      .regex(/^(?:[0-9a-fA-F]{64})?$/)
      .transform((digits): Uint8Array | undefined => (digits === '' ? undefined : Buffer.from(digits, 'hex'))),
    secret: true,
  }),
  webhookHttpsOnly: setting({
    name: 'WEBHOOK_HTTPS_ONLY',
    about: 'Whether events are sent over https alone.',
    accepts: 'true or false',
    fallback: 'false',
    schema: z.enum(['true', 'false']).transform((word) => word === 'true'),
  }),
  webhookAllowedHosts: setting({
    name: 'WEBHOOK_ALLOWED_HOSTS',
    about:
      'Hosts that events may be sent to though they are inside, such as localhost while developing, comma-separated.',
    accepts: 'host names and IP addresses without ports, comma-separated',
    fallback: '',
    schema: z.string().transform(splitList).pipe(z.array(host)),
  }),
};
