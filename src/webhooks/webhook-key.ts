import { WEBHOOK_KEY_FILE } from '../state/own-files.js';
import { findSecretKey, loadSecretKey } from '../state/secret-key.js';
import type { StateStore } from '../state/store.js';
import { hasSealedSecrets } from './subscriptions.js';

/**
 * The key that seals subscribers' secrets: the configured one, else the one in the state directory, which is created if no
 * secret is sealed yet. Undefined if there are sealed secrets but no key: a new key would open none of them, and would hide
 * that theirs is missing. Throws a StateError if the key file cannot be used.
 */
export async function openWebhookKey(
  state: StateStore,
  configured: Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
  const found = configured ?? findSecretKey(state.directory, WEBHOOK_KEY_FILE);
  if (found !== undefined || (await hasSealedSecrets(state))) return found;
  return loadSecretKey(state.directory, WEBHOOK_KEY_FILE);
}
