/** Numbers that belong together, by name. Each is written by this process alone, and read as the sum over all processes. */
export interface Counters {
  /** Whether other processes count, too: then this one's numbers have to be here as soon as they are true. */
  readonly shared: boolean;
  /** Milliseconds since the counting began. */
  ageMs(): number;
  /**
   * This process's numbers of a name, the same array each time; zero at first, or what the process in whose place it is
   * had.
   */
  own(name: string, length: number): Float64Array;
  sums(): Sums;
}

/** The sums of all processes' numbers, by name. */
export type Sums = ReadonlyMap<string, Float64Array>;

/** The counters of a process that serves alone. */
export function createCounters(): Counters {
  const startedAtMs = performance.now();
  const named = new Map<string, Float64Array>();
  return {
    shared: false,
    ageMs: () => performance.now() - startedAtMs,
    own: (name, length) => {
      let numbers = named.get(name);
      if (!numbers) {
        numbers = new Float64Array(length);
        named.set(name, numbers);
      }
      return numbers;
    },
    sums: () => named,
  };
}
