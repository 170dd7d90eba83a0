import { printable } from '../../core/printable.js';
import { CliError } from '../cli-error.js';
import type { Action } from './action.js';

/** Runs the action that the first argument names: `keys issue …`. */
export async function dispatch(
  command: string,
  actions: Readonly<Record<string, Action>>,
  [first = '--help', ...rest]: string[],
): Promise<number> {
  // `keys help issue` means `keys issue --help`.
  const [name, args] =
    first === 'help' && rest[0] !== undefined ? [rest[0], [...rest.slice(1), '--help']] : [first, rest];
  const width = Math.max(...Object.keys(actions).map((action) => action.length)) + 2;
  const usage = [
    `Usage: tract-context ${command} <action> [options]`,
    '',
    ...Object.entries(actions).map(([action, { summary }]) => `  ${action.padEnd(width)}${summary}`),
    '',
    `Run tract-context ${command} <action> --help for an action’s options.`,
  ].join('\n');
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(usage);
    return 0;
  }
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new CliError(`unknown action ${printable(name)}\n\n${usage}`, 2);
  return await action.run(`${command} ${name}`, args);
}
