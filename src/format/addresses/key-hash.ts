const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a, 32 bits, over a key's bytes; keys contain only A–Z and 0–9. */
export const hashKey = (key: string): number => hashFrom(FNV_OFFSET, key, 0);

/** The hashes of a key without each of its characters in turn, without duplicates. O(length²). */
export function hashesWithoutOne(key: string): Set<number> {
  const hashes = new Set<number>();
  let before = FNV_OFFSET;
  for (let at = 0; at < key.length; at++) {
    hashes.add(hashFrom(before, key, at + 1));
    before = Math.imul(before ^ key.charCodeAt(at), FNV_PRIME);
  }
  return hashes;
}

/** The hash of a text of which what precedes `from` has the hash `before`. */
function hashFrom(before: number, text: string, from: number): number {
  let hash = before;
  for (let at = from; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}

/** Builds an open-addressing hash table: a power of two slots, at most half full. A slot holds a row + 1; 0 is empty. */
export function buildSlots(keys: readonly string[]): Uint32Array {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(1, keys.length) * 2)));
  keys.forEach((key, row) => {
    let slot = hashKey(key) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = row + 1;
  });
  return slots;
}

/** The row of a key, or −1. O(1). */
export function findInSlots(slots: Uint32Array, key: string, isKey: (row: number) => boolean): number {
  const first = hashKey(key);
  // Bounded, since a damaged table may have no empty slot.
  for (let step = 0; step < slots.length; step++) {
    const entry = slots[(first + step) & (slots.length - 1)] ?? 0;
    if (entry === 0) return -1;
    if (isKey(entry - 1)) return entry - 1;
  }
  return -1;
}
