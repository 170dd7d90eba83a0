import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { configuredKeyIds } from '../../src/keys/keyring.js';
import { openState } from '../../src/state/open-state.js';
import { WEBHOOK_KEY_FILE } from '../../src/state/own-files.js';
import { createSecretBox } from '../../src/state/secret-box.js';
import { loadSecretKey } from '../../src/state/secret-key.js';
import { announceGeneration } from '../../src/webhooks/events/announce.js';
import { createOwners } from '../../src/webhooks/owners.js';
import { createSubscriptions } from '../../src/webhooks/subscriptions.js';
import { TEST_KEY } from './service-process.js';

/** Whom the subscriptions of a service with the test's key belong to. */
export const OWNERS = configuredKeyIds([TEST_KEY]);

/** A directory that services share, and that goes when all of them are gone. */
export function sharedDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tract-context-webhooks-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

interface Left {
  readonly secret?: string;
  readonly secretKey?: Uint8Array;
}

/**
 * A state directory as a service leaves it that had this generation live, and a subscription to `url` when it was stopped:
 * without the start of one.
 */
export async function leftWith(url: string, generation: string, { secret, secretKey }: Left = {}): Promise<string> {
  const stateDir = sharedDirectory();
  const state = await openState(stateDir);
  const now = (): Date => new Date();
  await announceGeneration({ state, owners: createOwners(OWNERS), now }, generation);
  const secrets = createSecretBox(secretKey ?? loadSecretKey(stateDir, WEBHOOK_KEY_FILE));
  const policy = { httpsOnly: false, allowedHosts: new Set(['127.0.0.1']) };
  const input = { url, events: ['data.updated'] as const, ...(secret !== undefined && { secret }) };
  const created = await createSubscriptions({ state, secrets, policy, now }).create(OWNERS[0] ?? '', input);
  expect(created).toMatchObject({ ok: true });
  await state.close();
  return stateDir;
}
