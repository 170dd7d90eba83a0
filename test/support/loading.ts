import { type CompileOptions, compile } from '../../src/load/compile.js';
import type { PublishedDataset } from '../../src/load/publish-intake.js';
import type { CompileReport } from '../../src/load/report/report.js';

/** The result or the error of a compile in this process, with all the lines that it printed. */
export interface LoadOutcome {
  readonly published: PublishedDataset | undefined;
  readonly error: Error | undefined;
  readonly lines: readonly string[];
}

/** Runs a compile and records its output. */
export async function load(options: CompileOptions): Promise<LoadOutcome> {
  const lines: string[] = [];
  const progress = { line: (text: string) => lines.push(text), step: () => undefined };
  try {
    return { published: await compile(options, progress), error: undefined, lines };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { published: undefined, error, lines };
  }
}

/** The report's account of a product; fails the test if there is none. */
export function accountOf(outcome: LoadOutcome, product: string): CompileReport['products'][number] {
  const found = outcome.published?.report.products.find((entry) => entry.product === product);
  if (!found) throw new Error(`no account of ${product}: ${outcome.error?.message ?? outcome.lines.join('\n')}`);
  return found;
}
