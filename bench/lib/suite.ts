import type { Chart } from './chart.js';

/** The options and directories of a run, as every suite receives them. */
export interface SuiteContext {
  /** Datasets directory with a published generation. */
  readonly datasetsDir: string;
  /** Directory of the agencies' official files. */
  readonly inputDir: string;
  /** Shared by all suites, empty at first; removed when the bench exits. */
  readonly tempDir: string;
  /** Duration of one sample of load. */
  readonly sampleSeconds: number;
  /** Duration of the soak. */
  readonly soakMinutes: number;
  /** Row counts of the registry files that the suite `providers` loads, in that order. */
  readonly registryRows: readonly number[];
  /** Number of providers in the dataset that the suite `providers` searches. */
  readonly providerCount: number;
  /** A running service to measure, instead of one that the bench starts. */
  readonly running?: { readonly url: string; readonly key: string };
  /** Shows progress at the terminal. */
  readonly note: (text: string) => void;
}

/** The bound that a figure's value should keep. */
export interface Target {
  readonly sign: '≥' | '≤';
  readonly bound: number;
}

/** Which of two values of a figure is the better one. */
export type Better = 'less' | 'more';

/** One measured figure. */
export interface Figure {
  readonly name: string;
  /** The median of the samples, or of the rounds' ratios. */
  readonly value: number;
  readonly unit: string;
  readonly samples: readonly number[];
  readonly target?: Target;
  /** Needed only where neither a target nor the unit says so; see `betterOf`. */
  readonly better?: Better;
}

/** A suite's results, or the reason why it has none. */
export type SuiteOutcome =
  | { readonly skipped: string }
  /** A contestant gave wrong answers or would not be asked, or the suite ended with an error: there are no figures. */
  | { readonly failed: string }
  | {
      /** The measured generations' names, by description. */
      readonly datasets: Readonly<Record<string, string>>;
      /** What was checked: before anything is timed where that is possible, else meanwhile. */
      readonly checks: readonly string[];
      readonly figures: readonly Figure[];
      /** Charts for the HTML page. */
      readonly charts?: readonly Chart[];
    };

/** Rejects with {@link WrongAnswerError} if a contestant gives wrong answers, whose timing would mean nothing. */
export type Suite = (context: SuiteContext) => Promise<SuiteOutcome>;

/** A contestant gave a wrong answer. */
export class WrongAnswerError extends Error {
  override readonly name = 'WrongAnswerError';
}

/** Units that say which value is better: costs, and rates by their ending. */
const COSTS: ReadonlySet<string> = new Set(['ms', 's', 'µs', 'MiB', 'MB']);
const RATE = /\/s$/;

/** Which value of a figure is better: by its target, else as it says itself, else by its unit; undefined if none does. */
export function betterOf({ target, better, unit }: Pick<Figure, 'target' | 'better' | 'unit'>): Better | undefined {
  if (target) return target.sign === '≤' ? 'less' : 'more';
  if (better !== undefined) return better;
  if (COSTS.has(unit)) return 'less';
  return RATE.test(unit) ? 'more' : undefined;
}

/** Whether a figure keeps its target; undefined if it has none. */
export function meetsTarget({ value, target }: Figure): boolean | undefined {
  if (!target) return undefined;
  return target.sign === '≥' ? value >= target.bound : value <= target.bound;
}
