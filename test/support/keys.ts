import type { Actor } from '../../src/audit/audit-log.js';
import { type IssuedKeys, openIssuedKeys } from '../../src/keys/issued-keys.js';
import type { KeyRecord, KeySettings } from '../../src/keys/key-record.js';
import { createKeyRegistry, type KeyRegistry } from '../../src/keys/key-registry.js';
import { createKeyring, type Keyring } from '../../src/keys/keyring.js';
import { openState } from '../../src/state/open-state.js';
import type { StateStore } from '../../src/state/store.js';
import { temporaryDirectory } from './temporary-directory.js';

export const ACTOR: Actor = { name: 'maintainer', address: '127.0.0.1', token: '01234567' };

/** A key's default settings in tests. */
export const KEY_SETTINGS: KeySettings = {
  name: 'Acme EHR',
  owner: 'ops@acme.example',
  scopes: ['read', 'webhooks'],
  expiresAt: null,
  rateLimitMax: null,
  disabled: false,
};

/** Keys with their own state and clock. */
export interface KeyWorld {
  readonly state: StateStore;
  readonly registry: KeyRegistry;
  readonly issued: IssuedKeys;
  readonly keyring: Keyring;
  readonly now: () => Date;
  /** Advances the clock. */
  advance(seconds: number): void;
  close(): Promise<void>;
}

export async function openKeyWorld(): Promise<KeyWorld> {
  let nowMs = Date.parse('2026-03-01T12:00:30.000Z');
  const now = (): Date => new Date(nowMs);
  const state = await openState(temporaryDirectory());
  const issued = await openIssuedKeys({ state, nowMs: () => nowMs });
  return {
    state,
    issued,
    now,
    registry: createKeyRegistry({ state, now }),
    keyring: createKeyring([], issued),
    advance: (seconds) => {
      nowMs += seconds * 1000;
    },
    close: () => state.close(),
  };
}

/** An issued key as the state stores it. */
export const KEY: KeyRecord = {
  id: '0123456789abcdef',
  name: 'a client',
  owner: '',
  scopes: ['read', 'webhooks'],
  expiresAt: null,
  rateLimitMax: null,
  disabled: false,
  createdAt: '2019-01-01T00:00:00Z',
  rotatedAt: null,
  revokedAt: null,
  secrets: [{ sha256: '0'.repeat(64), validUntil: null }],
  revision: 1,
};
