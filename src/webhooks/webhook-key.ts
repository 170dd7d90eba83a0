import { WEBHOOK_KEY_FILE } from '../state/own-files.js';
import { createLockedBox, createSecretBox, type SecretBox } from '../state/secret-box.js';
import { findSecretKey, loadSecretKey } from '../state/secret-key.js';
import type { StateStore } from '../state/store.js';
import { hasSealedSecrets } from './subscriptions.js';

/**
 * The key that seals subscribers' secrets: the one that is configured, else that of the state directory, made where no
 * secret is sealed yet. Undefined where there are such secrets and no key: another one would open none of them, and hide
 * that theirs is missing. Throws a StateError where the key file cannot be used.
 */
export async function openWebhookKey(
  state: StateStore,
  configured: Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
  const found = configured ?? findSecretKey(state.directory, WEBHOOK_KEY_FILE);
  if (found !== undefined || (await hasSealedSecrets(state))) return found;
  return loadSecretKey(state.directory, WEBHOOK_KEY_FILE);
}

/** What that key seals and opens. */
export function boxWith(key: Uint8Array | undefined): SecretBox {
  return key === undefined ? createLockedBox() : createSecretBox(key);
}
