import type { Counters, Sums } from '../../tallies/counters.js';

/** What a part of the service counts by itself, brought to the counters that all processes share. */
export interface Mirror<T> {
  /** Brings this process's numbers up to date. */
  publish(): void;
  /** The part's statistics with every number replaced by the sum over all processes, as far as they are published. */
  total(sums: Sums): T;
}

export interface MirrorOptions<T> {
  readonly counters: Counters;
  /** Begins the counters' names. */
  readonly name: string;
  /** The part's statistics: numbers, in objects that may hold further such objects. */
  readonly read: () => T;
  /** What grows and shrinks; all else only grows, and goes on from where a process that ended has left it. */
  readonly gauges?: ReadonlySet<string>;
}

interface Mirrored {
  readonly numbers: Float64Array;
  /** What it was when this process took it over. */
  readonly before: number;
}

export function createMirror<T extends object>({ counters, name, read, gauges }: MirrorOptions<T>): Mirror<T> {
  const mirrored = new Map<string, Mirrored>();

  const obtain = (field: string): Mirrored => {
    let entry = mirrored.get(field);
    if (!entry) {
      const numbers = counters.own(`${name}.${field}`, 1);
      entry = { numbers, before: gauges?.has(field) ? 0 : (numbers[0] ?? 0) };
      mirrored.set(field, entry);
    }
    return entry;
  };
  const publish = (fields: object, path: string): void => {
    for (const [key, value] of Object.entries(fields)) {
      const field = path + key;
      if (typeof value === 'number') {
        const { numbers, before } = obtain(field);
        numbers[0] = before + value;
      } else if (typeof value === 'object' && value !== null) publish(value, `${field}.`);
    }
  };
  const total = (fields: object, path: string, sums: Sums): object =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => {
        const field = path + key;
        if (typeof value === 'number') return [key, sums.get(`${name}.${field}`)?.[0] ?? 0];
        return [key, typeof value === 'object' && value !== null ? total(value, `${field}.`, sums) : value];
      }),
    );
  return {
    publish: () => publish(read(), ''),
    // The same fields with other numbers.
    total: (sums) => total(read(), '', sums) as T,
  };
}
