import { hash, timingSafeEqual } from 'node:crypto';
import type { IssuedKeys } from './issued-keys.js';
import type { KeyIdentity } from './key-identity.js';
import { isKeyText } from './key-text.js';

/** The keys that open the service. */
export interface Keyring {
  readonly size: number;
  /**
   * The identity that a presented key belongs to; undefined if it is not a valid key. The time this takes reveals nothing
   * about any key. The digest is cached per connection, since a connection presents the same key with every request.
   */
  identify(presented: string, connection?: object): KeyIdentity | undefined;
  /** For a presented key that is no valid one: the id of the issued key that it is, if that is disabled or has expired. */
  findRefused(presented: string, connection?: object): string | undefined;
}

const DIGEST_PREFIX = 'sha256:';
const PRESENTABLE = /^[\x20-\x7e]{1,256}$/;

/**
 * The configured keys together with the issued ones. Keeps only their SHA-256 digests, and a key that a connection presents
 * for as long as that connection. Entries are plain keys or `sha256:<64 hexadecimal digits>`; the configuration has validated
 * both.
 */
export function createKeyring(
  entries: readonly string[],
  issued?: Pick<IssuedKeys, 'size' | 'find' | 'findRefused'>,
): Keyring {
  const keys = entries.map(readEntry);
  const digestOf = createKeyDigests();
  const findConfigured = (digest: Buffer): KeyIdentity | undefined => {
    let found: KeyIdentity | undefined;
    // Compares all keys, so that the time does not reveal which one matched.
    for (const key of keys) if (timingSafeEqual(key.digest, digest)) found = key.identity;
    return found;
  };
  return {
    get size() {
      return keys.length + (issued?.size() ?? 0);
    },
    identify: (presented, connection) => {
      // The checksum rejects mistyped and made-up keys before any lookup.
      const mayBeIssued = issued !== undefined && isKeyText(presented);
      if (!mayBeIssued && (keys.length === 0 || !PRESENTABLE.test(presented))) return undefined;
      const digest = digestOf(presented, connection);
      return (mayBeIssued ? issued.find(digest) : undefined) ?? findConfigured(digest);
    },
    findRefused: (presented, connection) =>
      isKeyText(presented) ? issued?.findRefused(digestOf(presented, connection)) : undefined,
  };
}

/** The ids of the configured keys. */
export function configuredKeyIds(entries: readonly string[]): string[] {
  return entries.map((entry) => readEntry(entry).identity.id);
}

function readEntry(entry: string): { readonly digest: Buffer; readonly identity: KeyIdentity } {
  const digest = entry.startsWith(DIGEST_PREFIX)
    ? Buffer.from(entry.slice(DIGEST_PREFIX.length), 'hex')
    : sha256(entry);
  return { digest, identity: { id: sha256(digest).toString('hex').slice(0, 16) } };
}

/** Digests a key once per connection. The identity is not cached, because keys change meanwhile. */
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
