import xxhash from '@node-rs/xxhash';

const { xxh3 } = xxhash;

/** XXH3-64 with seed 0, as an unsigned integer. */
export function checksum(bytes: Uint8Array): bigint {
  return BigInt.asUintN(64, xxh3.xxh64(bytes));
}

/** XXH3-64 over bytes that come in pieces. */
export interface ChecksumStream {
  update(bytes: Uint8Array): void;
  digest(): bigint;
}

export function createChecksum(): ChecksumStream {
  const state = xxh3.Xxh3.withSeed();
  return {
    update: (bytes) => {
      state.update(bytes);
    },
    digest: () => BigInt.asUintN(64, state.digest()),
  };
}

/** XXH3-128 as 32 hexadecimal digits: the name of a content. */
export function contentHash(bytes: Uint8Array): string {
  return BigInt.asUintN(128, xxh3.xxh128(bytes)).toString(16).padStart(32, '0');
}
