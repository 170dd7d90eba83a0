import { printable } from '../../core/printable.js';
import { CliError } from '../cli-error.js';
import { readFirstWord } from '../first-word.js';
import type { Action } from './action.js';

/** Runs the action that the first argument names: `keys issue …`. */
export async function dispatch(
  command: string,
  actions: Readonly<Record<string, Action>>,
  words: readonly string[],
): Promise<number> {
  const { name, args, isHelp } = readFirstWord(words);
  const width = Math.max(...Object.keys(actions).map((action) => action.length)) + 2;
  const usage = [
    `Usage: tract-context ${command} <action> [options]`,
    '',
    ...Object.entries(actions).map(([action, { summary }]) => `  ${action.padEnd(width)}${summary}`),
    '',
    `Run tract-context ${command} <action> --help for an action’s options.`,
  ].join('\n');
  if (isHelp) {
    console.log(usage);
    return 0;
  }
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new CliError(`unknown action ${printable(name)}\n\n${usage}`, 2);
  return await action.run(`${command} ${name}`, args);
}
