import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { SecretBoxError } from '../state/secret-box.js';
import type { Subscriptions } from './subscriptions.js';

/** The headers that say who sent a delivery, and that nobody has changed it. */
export type SigningHeaders = Readonly<Record<string, string>>;

/** Signs deliveries. Without a secret they carry their id and time alone. */
export type Sign = (webhookId: string, atMs: number, body: string) => SigningHeaders;

/** A secret in the form of the Standard Webhooks specification: the key in base64. */
const ENCODED_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/**
 * The contract's `X-Webhook-Signature`, an HMAC-SHA256 of the raw body with the secret's text as key (SPEC 6.2), beside the
 * headers of Standard Webhooks (https://www.standardwebhooks.com), signed with what is after `whsec_` as base64, or, of any
 * other secret, with its text, too. The time is the attempt's.
 */
export function createSign(secret: string | undefined): Sign {
  if (secret === undefined) {
    return (webhookId, atMs) => ({ 'webhook-id': webhookId, 'webhook-timestamp': secondsOf(atMs) });
  }
  const textKey = createSecretKey(secret, 'utf8');
  const encoded = ENCODED_SECRET.exec(secret)?.[1];
  const standardKey = encoded === undefined ? textKey : createSecretKey(encoded, 'base64');
  return (webhookId, atMs, body) => {
    const timestamp = secondsOf(atMs);
    return {
      'X-Webhook-Signature': `sha256=${hmac(textKey, body, 'hex')}`,
      'webhook-id': webhookId,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${hmac(standardKey, `${webhookId}.${timestamp}.${body}`, 'base64')}`,
    };
  };
}

/** Undefined where there is a secret that cannot be opened with the key in use: then nothing may be sent. */
export async function openSign(
  subscriptions: Pick<Subscriptions, 'signingSecret'>,
  owner: string,
  id: number,
): Promise<Sign | undefined> {
  try {
    return createSign(await subscriptions.signingSecret(owner, id));
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined;
    throw error;
  }
}

function hmac(key: KeyObject, content: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(content, 'utf8').digest(encoding);
}

function secondsOf(atMs: number): string {
  return String(Math.floor(atMs / 1000));
}
