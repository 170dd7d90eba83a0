/** The moments of a key's counted requests, oldest first, in a ring that grows as it fills. */
export interface HitLog {
  size(): number;
  /** The oldest moment; NaN where there is none. */
  oldest(): number;
  /** Adds a moment that is not before the newest. */
  add(atMs: number): void;
  /** Drops all moments up to and including this one. */
  forgetUntil(atMs: number): void;
}

/** Most keys make few requests: a large limit must not cost its memory before it is used. */
const INITIAL_CAPACITY = 16;

export function createHitLog(): HitLog {
  let ring = new Float64Array(INITIAL_CAPACITY);
  let first = 0;
  let size = 0;
  const at = (position: number): number => ring[(first + position) % ring.length] ?? Number.NaN;

  return {
    size: () => size,
    oldest: () => (size === 0 ? Number.NaN : at(0)),
    add: (atMs) => {
      if (size === ring.length) grow();
      ring[(first + size) % ring.length] = atMs;
      size++;
    },
    forgetUntil: (atMs) => {
      while (size > 0 && at(0) <= atMs) {
        first = (first + 1) % ring.length;
        size--;
      }
    },
  };

  function grow(): void {
    const larger = Float64Array.from({ length: ring.length * 2 }, (_, position) =>
      position < size ? at(position) : 0,
    );
    ring = larger;
    first = 0;
  }
}
