import { createInterface } from 'node:readline/promises';
import { CliError } from '../cli-error.js';

/** Asks at the terminal whether to go ahead. Throws `CliError` if stdin is no terminal and `--yes` was not given. */
export async function confirmed(question: string, saidYes: boolean): Promise<boolean> {
  if (saidYes) return true;
  if (!process.stdin.isTTY) throw new CliError(`${question} Say --yes to go ahead.`, 2);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (/^y(?:es)?$/i.test(answer.trim())) return true;
    console.error('Nothing was done.');
    return false;
  } finally {
    terminal.close();
  }
}
