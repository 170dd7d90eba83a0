import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { systemCode } from '../../core/system-code.js';
import { CliError } from '../cli-error.js';

/** Where a question is asked and answered; injected by tests. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Asks at the terminal whether to go ahead; Ctrl-C and Ctrl-D mean no. Throws `CliError` if stdin is no terminal and `--yes`
 * was not given.
 */
export async function confirmed(
  question: string,
  saidYes: boolean,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (saidYes) return true;
  if (!input.isTTY) throw new CliError(`${question} Pass --yes to confirm.`, 2);
  const terminal = createInterface({ input, output });
  // Where the question goes to a file, readline does not watch for Ctrl-D: the input ends, and no answer ever comes.
  const ended = once(terminal, 'close').then(() => '');
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `).catch(unlessAborted), ended]);
    if (/^y(?:es)?$/i.test(answer.trim())) return true;
    output.write('Cancelled; nothing was changed.\n');
    return false;
  } finally {
    terminal.close();
  }
}

/** No answer, if the question was ended by a key; the cursor is still behind the question then. */
function unlessAborted(error: unknown): string {
  if (systemCode(error) !== 'ABORT_ERR') throw error;
  return '';
}
