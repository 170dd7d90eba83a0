import type { Better, Figure, Target } from './suite.js';

/** One of the things measured against each other, such as the candidate or its yardstick. */
export interface Contestant<Name extends string> {
  readonly name: Name;
  /** Does the work once and returns one sample, in the unit that its suite reports. */
  run(): number | Promise<number>;
}

/**
 * Runs the contestants in turns, so that a machine that slows down or speeds up affects all of them alike; each starts a
 * round about as often as the others. Warm-up rounds are discarded. Returns each contestant's samples, one per round.
 */
export async function alternate<Name extends string>(
  contestants: readonly Contestant<Name>[],
  { rounds, warmUps }: { readonly rounds: number; readonly warmUps: number },
): Promise<Record<Name, number[]>> {
  const samples = new Map<Name, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    const first = (round + warmUps) % contestants.length;
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      const cost = await contestant.run();
      if (round >= 0) samples.get(contestant.name)?.push(cost);
    }
  }
  // The map's keys are the contestants' names.
  return Object.fromEntries(samples) as Record<Name, number[]>;
}

/** The median of the samples: with an even number of them, the mean of the middle two. NaN without samples. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** A figure whose value is the median of its samples; `goal` is its target, or merely which value is better. */
export function figure(name: string, unit: string, samples: readonly number[], goal?: Target | Better): Figure {
  const aim = typeof goal === 'string' ? { better: goal } : goal && { target: goal };
  return { name, unit, samples, value: median(samples), ...aim };
}

/** The ratio of two contestants, round by round, so that whatever slowed down a whole round cancels out. */
export function ratioFigure(
  name: string,
  numerators: readonly number[],
  denominators: readonly number[],
  goal?: Target | Better,
): Figure {
  const ratios = numerators.map((value, round) => value / (denominators[round] ?? Number.NaN));
  return figure(name, '×', ratios, goal);
}
