import { maxDescriptors, openDescriptors } from '../../platform/descriptors.js';
import type { Counters, Sums } from '../../tallies/counters.js';

/** The file descriptors of one process, which its connections take. */
export interface DescriptorCounts {
  /** The number of the process among several, from 0; empty if it is the only one. */
  readonly process: string;
  readonly open: number;
  readonly max: number;
}

/** What the name of a process's counters begins with; its number follows. */
const NAME = 'descriptors';

/** The calls of the system; others are given by tests. */
export interface DescriptorCalls {
  readonly max: () => number | undefined;
  readonly open: () => number;
}

/** Returns a function that notes how many file descriptors this process has, for all processes to read; on Linux only. */
export function createDescriptorCount(
  counters: Counters,
  calls: DescriptorCalls = { max: maxDescriptors, open: openDescriptors },
): () => void {
  const max = calls.max();
  if (max === undefined) return () => {};
  const numbers = counters.own(`${NAME} ${counters.process ?? ''}`, 2);
  return () => numbers.set([openOr(max, calls), max]);
}

/** Where it takes a descriptor to count them and none is free, all are open. */
function openOr(max: number, { open }: DescriptorCalls): number {
  try {
    return open();
  } catch {
    return max;
  }
}

/** What each process has noted. Not added up: a process without a free descriptor is not helped by those of others. */
export function readDescriptorCounts(sums: Sums): DescriptorCounts[] {
  return [...sums].flatMap(([name, [open = 0, max = 0]]) => {
    const [kind, process = ''] = name.split(' ');
    return kind === NAME ? [{ process, open, max }] : [];
  });
}
