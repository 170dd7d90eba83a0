/** A pseudo-random number generator: the same seed gives the same numbers on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Standard normal, cut off at four standard deviations. */
  normal(): number;
}

/**
 * Creates a generator for one purpose, seeded with the stream's name. Streams of different names are independent, so that
 * what is generated for one county never affects another. The algorithm is Doty-Humphrey's sfc32 (PractRand).
 */
export function createRandom(seed: number, ...stream: readonly (string | number)[]): Random {
  let state = hash(`${seed}/${stream.join('/')}`);
  const mix = (): number => {
    state = (state + 0x9e3779b9) | 0;
    return finish(state);
  };
  let a = mix();
  let b = mix();
  let c = mix();
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11) | 0) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 8; round++) next();
  return { next, normal: () => normalFrom(next) };
}

/** Box-Muller transform. Only its cosine half is used, so that no second value has to be remembered. */
function normalFrom(next: () => number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - next()));
  const value = radius * Math.cos(2 * Math.PI * next());
  return Math.max(-4, Math.min(4, value));
}

/** FNV-1a over the UTF-16 code units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return finish(value);
}

/** The finalizer of MurmurHash3: every bit of the input reaches every bit of the output. */
function finish(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
