import { tellingFirstFailure } from '../core/first-failure.js';
import { repeatedly } from '../core/repeatedly.js';
import type { StateStore } from '../state/store.js';
import { type IssuedKeys, openIssuedKeys } from './issued-keys.js';
import { createKeyUsage, type KeyUsage } from './key-usage.js';
import { createKeyring, type Keyring } from './keyring.js';

/** A key is refused within about this time after another process has revoked it: well within the second that is promised. */
const LOOK_INTERVAL_MS = 250;
const FLUSH_INTERVAL_MS = 10_000;

/** The keys of a process that answers requests. */
export interface LiveKeys {
  readonly keyring: Keyring;
  readonly issued: IssuedKeys;
  readonly usage: KeyUsage;
  /** Stores the counted usage and stops polling for changes. Must be called before the state is closed. */
  close(): Promise<void>;
}

export interface LiveKeysOptions {
  readonly state: StateStore;
  /** The entries for keys in the configuration. */
  readonly entries: readonly string[];
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Called for the first of several failures in a row. */
  readonly onError: (error: unknown, what: 'keys-unread' | 'usage-unwritten') => void;
}

/** Reads the issued keys and keeps them in step with the state. Rejects with a StateError. */
export async function openLiveKeys({ state, entries, nowMs, onError }: LiveKeysOptions): Promise<LiveKeys> {
  const issued = await openIssuedKeys({ state, nowMs });
  const usage = createKeyUsage({ state, nowMs });
  const look = tellingFirstFailure(issued.refresh, (error) => onError(error, 'keys-unread'));
  const flush = tellingFirstFailure(usage.flush, (error) => onError(error, 'usage-unwritten'));
  const endLooking = repeatedly(look, LOOK_INTERVAL_MS);
  const endFlushing = repeatedly(flush, FLUSH_INTERVAL_MS);
  return {
    keyring: createKeyring(entries, issued),
    issued,
    usage,
    close: async () => {
      await Promise.all([endLooking(), endFlushing()]);
      await flush();
    },
  };
}
