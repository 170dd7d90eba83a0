import { messageOf } from '../src/core/message-of.js';
import { type Suite, type SuiteContext, type SuiteOutcome, WrongAnswerError } from './lib/suite.js';

/** The outcomes of the suites that have ended so far, by name. */
export type Outcomes = Readonly<Record<string, SuiteOutcome>>;

/**
 * Runs suites one after the other and resolves to their outcomes. Calls `tell` after each with its outcome and all until then: a
 * run can take an hour, and one that is interrupted must not lose the suites that it had done.
 */
export async function runSuites(
  names: readonly string[],
  suites: Readonly<Record<string, () => Promise<Suite>>>,
  context: SuiteContext,
  tell: (name: string, outcome: SuiteOutcome, all: Outcomes) => void,
): Promise<Outcomes> {
  const outcomes: Record<string, SuiteOutcome> = {};
  for (const name of names) {
    const load = suites[name];
    if (!load) continue;
    const note = (text: string): void => context.note(`${name}: ${text}`);
    const outcome = await load()
      .then((suite) => suite({ ...context, note }))
      .catch((error: unknown) => asFailure(error, note));
    if ('skipped' in outcome) note(`skipped, ${outcome.skipped}`);
    outcomes[name] = outcome;
    tell(name, outcome, outcomes);
  }
  return outcomes;
}

/** Turns an error into a failed suite: the figures of the suites before it are kept, and the others still run. */
function asFailure(error: unknown, note: SuiteContext['note']): SuiteOutcome {
  if (error instanceof WrongAnswerError) return { failed: error.message };
  note(error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error));
  return { failed: `the suite ended with an error: ${messageOf(error)}` };
}
