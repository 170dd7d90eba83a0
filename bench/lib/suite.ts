import type { Chart } from './chart.js';

/** What a suite is given. */
export interface SuiteContext {
  /** Datasets directory that `compile` published to. */
  readonly datasetsDir: string;
  /** Directory of official files. */
  readonly inputDir: string;
  /** Empty; removed when all suites are done. */
  readonly tempDir: string;
  /** How long one sample of load takes. */
  readonly sampleSeconds: number;
  /** How long the soak takes. */
  readonly soakMinutes: number;
  /** How many rows the registry files have that `providers` loads, from small to large. */
  readonly registryRows: readonly number[];
  /** How many providers it searches. */
  readonly providerCount: number;
  /** A service that already runs, to be measured instead of one that the bench starts. */
  readonly running?: { readonly url: string; readonly key: string };
  /** Tells people at the terminal what is going on. */
  readonly note: (text: string) => void;
}

/** A bound that a figure must keep. */
export interface Target {
  readonly sign: '≥' | '≤';
  readonly bound: number;
}

/** One measured figure. */
export interface Figure {
  readonly name: string;
  /** The median of the samples, or of the rounds' ratios. */
  readonly value: number;
  readonly unit: string;
  readonly samples: readonly number[];
  readonly target?: Target;
}

/** What a suite found, or why it could not. */
export type SuiteOutcome =
  | { readonly skipped: string }
  /** A contestant's answers were wrong, so that there are no figures. */
  | { readonly failed: string }
  | {
      /** The generations that were measured, by what they are. */
      readonly datasets: Readonly<Record<string, string>>;
      /** What was checked before anything was timed. */
      readonly checks: readonly string[];
      readonly figures: readonly Figure[];
      /** What the HTML page draws. */
      readonly charts?: readonly Chart[];
    };

/** Throws {@link WrongAnswerError} where a contestant answers wrongly: then there is nothing to time. */
export type Suite = (context: SuiteContext) => Promise<SuiteOutcome>;

/** A contestant's answers are not what they must be. */
export class WrongAnswerError extends Error {
  override readonly name = 'WrongAnswerError';
}

/** Whether a figure keeps its target; undefined where it has none. */
export function meetsTarget({ value, target }: Figure): boolean | undefined {
  if (!target) return undefined;
  return target.sign === '≥' ? value >= target.bound : value <= target.bound;
}
