import type { Figure, Target } from './suite.js';

/** One thing to be measured, such as the candidate or its yardstick. */
export interface Contestant<Name extends string> {
  readonly name: Name;
  /** Does the work once and gives what it cost, in the unit that its suite reports. */
  run(): number | Promise<number>;
}

/**
 * Lets the contestants take turns, so that a machine that slows down or speeds up does so for all of them, and each
 * begins a round as often as the others. Warm-ups are run and forgotten. Gives each contestant's samples, by round.
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

/** The middle of the samples; of an even number, the mean of the two in the middle. NaN without samples. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** A figure from its samples. */
export function figure(name: string, unit: string, samples: readonly number[], target?: Target): Figure {
  return { name, unit, samples, value: median(samples), ...(target && { target }) };
}

/** The ratio of two contestants, round by round: what slowed a whole round down cancels out. */
export function ratioFigure(
  name: string,
  numerators: readonly number[],
  denominators: readonly number[],
  target?: Target,
): Figure {
  const ratios = numerators.map((value, round) => value / (denominators[round] ?? Number.NaN));
  return figure(name, '×', ratios, target);
}
