import { createRequire } from 'node:module';
import { native } from '../platform/native-gate.js';

type Xxh3 = typeof import('@node-rs/xxhash')['xxh3'];

let loaded: Xxh3 | undefined;

/** Loads the module on first use, so that threads that only read mapped files never load it. Call within {@link native}. */
function xxh3(): Xxh3 {
  if (!loaded) {
    const module: typeof import('@node-rs/xxhash') = createRequire(import.meta.url)('@node-rs/xxhash');
    loaded = module.xxh3;
  }
  return loaded;
}

/** XXH3-64 with seed 0, as an unsigned integer. */
export function checksum(bytes: Uint8Array): bigint {
  return unsigned64(native(() => xxh3().xxh64(bytes)));
}

/** Computes XXH3-64 over bytes that arrive in pieces. */
export interface ChecksumStream {
  update(bytes: Uint8Array): void;
  digest(): bigint;
}

export function createChecksum(): ChecksumStream {
  const state = native(() => xxh3().Xxh3.withSeed());
  return {
    update: (bytes) => {
      native(() => state.update(bytes));
    },
    digest: () => unsigned64(native(() => state.digest())),
  };
}

/** XXH3-128 as 32 hexadecimal digits, for naming content. */
export function contentHash(bytes: Uint8Array): string {
  const hash = native(() => xxh3().xxh128(bytes));
  return BigInt.asUintN(128, hash).toString(16).padStart(32, '0');
}

function unsigned64(hash: bigint): bigint {
  return BigInt.asUintN(64, hash);
}
