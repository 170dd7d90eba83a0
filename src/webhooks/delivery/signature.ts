import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { SecretBoxError } from '../../state/secret-box.js';
import type { Subscriptions } from '../subscriptions.js';

/** The headers that identify a delivery and, if there is a secret, prove its sender and integrity. */
export type SigningHeaders = Readonly<Record<string, string>>;

/** Makes the headers of a delivery; without a secret, these are only its id and time. */
export type Sign = (webhookId: string, atMs: number, body: string) => SigningHeaders;

/** A secret in the form of the Standard Webhooks specification: the key in base64. */
const ENCODED_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/**
 * Makes the contract's `X-Webhook-Signature`, an HMAC-SHA256 of the raw body keyed with the secret's text (SPEC 6.2), and
 * the headers of Standard Webhooks (https://www.standardwebhooks.com). Their key is the base64 after `whsec_`, or, for a
 * secret in any other form, its text as well. The timestamp is the attempt's.
 */
export function createSign(secret: string | null): Sign {
  if (secret === null) {
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

/** `unopenable`: the key in use does not open the secret. `gone`: the subscription has been removed. */
export type NoSign = 'unopenable' | 'gone';

/** Without a {@link Sign} nothing may be sent: an event that should be signed would go unsigned. */
export async function openSign(
  subscriptions: Pick<Subscriptions, 'signingSecret'>,
  owner: string,
  id: number,
): Promise<Sign | NoSign> {
  try {
    const secret = await subscriptions.signingSecret(owner, id);
    return secret === undefined ? 'gone' : createSign(secret);
  } catch (error) {
    if (error instanceof SecretBoxError) return 'unopenable';
    throw error;
  }
}

function hmac(key: KeyObject, content: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(content, 'utf8').digest(encoding);
}

function secondsOf(atMs: number): string {
  return String(Math.floor(atMs / 1000));
}
