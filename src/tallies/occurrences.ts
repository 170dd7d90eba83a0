import type { Counters, Sums } from './counters.js';

/** What happens to a service rarely, and whoever runs it may want to be told of. */
export type Occurrence =
  | 'reload-done'
  | 'reload-refused'
  | 'process-ended'
  | 'worker-thread-ended'
  | 'delivery-process-ended';

export type CountOccurrence = (what: Occurrence) => void;

const nameOf = (what: Occurrence): string => `occurrence ${what}`;

export function createOccurrenceCount(counters: Counters): CountOccurrence {
  return (what) => {
    const count = counters.own(nameOf(what), 1);
    count[0] = (count[0] ?? 0) + 1;
  };
}

/** How often something has happened, over all processes; 0 if it never has. */
export function readOccurrences(sums: Sums): (what: Occurrence) => number {
  return (what) => sums.get(nameOf(what))?.[0] ?? 0;
}
