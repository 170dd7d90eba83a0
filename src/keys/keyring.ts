import { hash, timingSafeEqual } from 'node:crypto';
import type { IssuedKeys } from './issued-keys.js';
import type { KeyIdentity } from './key-identity.js';
import { isKeyText } from './key-text.js';

/** The keys that open the service. */
export interface Keyring {
  readonly size: number;
  /**
   * Whose key this is; undefined where it is none. How long that takes says nothing of any key. The key's digest is
   * remembered for as long as the connection that it came over lasts, which presents the same key again and again.
   */
  identify(presented: string, connection?: object): KeyIdentity | undefined;
}

const DIGEST_PREFIX = 'sha256:';
const PRESENTABLE = /^[\x20-\x7e]{1,256}$/;

/**
 * The keys of the configuration together with those that were issued. It keeps their SHA-256 digests, never the keys.
 * Entries are plain keys, or `sha256:<64 hexadecimal digits>`, both checked by the configuration.
 */
export function createKeyring(entries: readonly string[], issued?: Pick<IssuedKeys, 'size' | 'find'>): Keyring {
  const keys = entries.map(readEntry);
  const digestOf = createKeyDigests();
  const findConfigured = (digest: Buffer): KeyIdentity | undefined => {
    let found: KeyIdentity | undefined;
    // All keys are compared, so that the time does not tell which one matched.
    for (const key of keys) if (timingSafeEqual(key.digest, digest)) found = key.identity;
    return found;
  };
  return {
    get size() {
      return keys.length + (issued?.size() ?? 0);
    },
    identify: (presented, connection) => {
      // What was mistyped or made up is told by its checksum, before anything is looked up.
      const mayBeIssued = issued !== undefined && isKeyText(presented);
      if (!mayBeIssued && (keys.length === 0 || !PRESENTABLE.test(presented))) return undefined;
      const digest = digestOf(presented, connection);
      return (mayBeIssued ? issued.find(digest) : undefined) ?? findConfigured(digest);
    },
  };
}

/** The ids of the keys of the configuration. */
export function configuredKeyIds(entries: readonly string[]): string[] {
  return entries.map((entry) => readEntry(entry).identity.id);
}

function readEntry(entry: string): { readonly digest: Buffer; readonly identity: KeyIdentity } {
  const digest = entry.startsWith(DIGEST_PREFIX)
    ? Buffer.from(entry.slice(DIGEST_PREFIX.length), 'hex')
    : sha256(entry);
  return { digest, identity: { id: sha256(digest).toString('hex').slice(0, 16) } };
}

/** Digests a key once a connection. Whose it is, is looked up each time: keys come and go. */
function createKeyDigests(): (presented: string, connection: object | undefined) => Buffer {
  const seen = new WeakMap<object, { readonly presented: string; readonly digest: Buffer }>();
  return (presented, connection) => {
    if (!connection) return sha256(presented);
    const known = seen.get(connection);
    if (known?.presented === presented) return known.digest;
    const digest = sha256(presented);
    seen.set(connection, { presented, digest });
    return digest;
  };
}

function sha256(content: string | Uint8Array): Buffer {
  return hash('sha256', content, 'buffer');
}
