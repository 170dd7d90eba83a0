import { obtain } from '../../core/obtain.js';
import type { Counters, Sums } from '../../tallies/counters.js';

/** Copies the statistics that a part of the service keeps itself to the counters that all processes share. */
export interface Mirror<T> {
  /** Updates this process's shared counters from the part's statistics. */
  publish(): void;
  /** The part's statistics with every number replaced by the sum of what all processes have published. */
  total(sums: Sums): T;
}

export interface MirrorOptions<T> {
  readonly counters: Counters;
  /** Prefix of the counters' names. */
  readonly name: string;
  /** Reads the part's statistics: an object of numbers, which may be nested. */
  readonly read: () => T;
  /** Fields that can also decrease. All others only grow, and continue from the value that the replaced process left. */
  readonly gauges?: ReadonlySet<string>;
}

interface Mirrored {
  readonly numbers: Float64Array;
  /** The value that the process before this one left; 0 for a gauge. */
  readonly before: number;
}

export function createMirror<T extends object>({ counters, name, read, gauges }: MirrorOptions<T>): Mirror<T> {
  const mirrored = new Map<string, Mirrored>();

  const mirror = (field: string): Mirrored => {
    const numbers = counters.own(`${name}.${field}`, 1);
    return { numbers, before: gauges?.has(field) ? 0 : (numbers[0] ?? 0) };
  };
  const publish = (fields: object, path: string): void => {
    for (const [key, value] of Object.entries(fields)) {
      const field = path + key;
      if (typeof value === 'number') {
        const { numbers, before } = obtain(mirrored, field, () => mirror(field));
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
    // `total` keeps every field and replaces only numbers, so the type stays the same.
    total: (sums) => total(read(), '', sums) as T,
  };
}
