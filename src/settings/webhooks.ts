import { z } from 'zod';
import { setting, splitList } from './setting.js';

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
    schema: z
      .string()
      .transform((list) => splitList(list.toLowerCase()))
      .pipe(z.array(z.string().regex(/^[a-z0-9.:-]+$/))),
  }),
};
