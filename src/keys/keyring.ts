import { hash, timingSafeEqual } from 'node:crypto';

/** Who is asking, as logs and limits may know it. */
export interface KeyIdentity {
  /** 16 hexadecimal digits that tell keys apart and own what keys own. They cannot be turned back into a key or its digest. */
  readonly id: string;
  /** Requests a window, where it is not the service's own number; 0 for any number. */
  readonly rateLimitMax?: number;
  /** What the key is limited to; undefined for all there is. */
  readonly scopes?: ReadonlySet<string>;
}

/** The keys that open the service. */
export interface Keyring {
  readonly size: number;
  /** Whose key this is; undefined where it is none. Takes the same time whichever key matches, or none. */
  identify(presented: string): KeyIdentity | undefined;
}

const DIGEST_PREFIX = 'sha256:';
const PRESENTABLE = /^[\x20-\x7e]{1,256}$/;

/**
 * Keeps the SHA-256 digests of keys, never the keys. Entries are plain keys, or `sha256:<64 hexadecimal digits>`, both
 * checked by the configuration.
 */
export function createKeyring(entries: readonly string[]): Keyring {
  const keys = entries.map((entry) => {
    const digest = entry.startsWith(DIGEST_PREFIX)
      ? Buffer.from(entry.slice(DIGEST_PREFIX.length), 'hex')
      : sha256(entry);
    return { digest, identity: { id: sha256(digest).toString('hex').slice(0, 16) } };
  });
  return {
    size: keys.length,
    identify: (presented) => {
      if (!PRESENTABLE.test(presented)) return undefined;
      const digest = sha256(presented);
      let found: KeyIdentity | undefined;
      // All keys are compared, so that the time does not tell which one matched.
      for (const key of keys) if (timingSafeEqual(key.digest, digest)) found = key.identity;
      return found;
    },
  };
}

function sha256(content: string | Uint8Array): Buffer {
  return hash('sha256', content, 'buffer');
}
