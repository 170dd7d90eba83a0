import type { ParseArgsConfig } from 'node:util';
import type { AdminClient } from '../../admin/client.js';
import { printable } from '../../core/printable.js';
import { CliError } from '../cli-error.js';
import { type ParsedOptions, parseOptions } from '../options.js';
import { toCliError } from './call-error.js';
import { confirmed } from './confirm.js';
import { CONNECTION_OPTIONS, connect, connectionUsage, readConnection, waitForPlane } from './connect.js';
import { isDiscarded, print } from './print.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ParsedOptions<T>['values'];

/** A command's action, which calls one admin procedure. Wrong arguments are reported before the plane is contacted. */
export interface ActionDefinition<T extends Options, Input, Result> {
  readonly summary: string;
  /** The arguments after the command's name and, after a blank line, one line per option. */
  readonly usage: string;
  readonly options: T;
  /** Explains the output, at the end of the help. */
  readonly note?: string;
  /** The positional argument, if the action takes one. */
  readonly argument?: { readonly name: string; readonly required: boolean };
  /**
   * Converts the arguments to the procedure's input. Runs before everything else and depends on the arguments alone. Throws
   * `CliError` with exit code 2.
   */
  read(values: Values<T>, argument: string): Input;
  /** The confirmation to ask for before something is destroyed; undefined if none is needed. */
  readonly question?: (input: Input) => string | undefined;
  call(client: AdminClient, input: Input): Promise<Result>;
  /** The result as lines of text; with `--json` it is printed as JSON instead. */
  show(result: Result): readonly string[];
  /** Whether the result counts as a failure (exit code 1); it is printed in any case. */
  readonly isFailure?: (result: Result) => boolean;
  /** For a result that is shown only once: what to tell the user if it could not be printed. */
  readonly ifLost?: (result: Result) => string;
}

export interface Action {
  readonly summary: string;
  run(command: string, args: string[]): Promise<number>;
}

const COMMON = { ...CONNECTION_OPTIONS, json: { type: 'boolean' }, yes: { type: 'boolean' } } as const;

/** Makes an action whose types of options, input and result stay hidden from its callers. */
export function defineAction<const T extends Options, Input, Result>(
  definition: ActionDefinition<T, Input, Result>,
): Action {
  const { summary, usage, options, note, argument, read, question, call, show, isFailure, ifLost } = definition;
  return {
    summary,
    run: async (command, args) => {
      const [words = '', ...own] = usage.split('\n\n');
      const optionLines = [...own, commonUsage(question !== undefined)].join('\n');
      const notes = note === undefined ? '' : `\n\n${note}`;
      const help = `Usage: tract-context ${command} ${words}\n\n${summary}\n\n${optionLines}${notes}`;
      const parsed = parseOptions(args, { ...COMMON, ...options }, help, {
        positionals: argument !== undefined,
        // Without a URL that was to be given, the command would go to the service of this machine.
        emptyTexts: Object.keys(options),
      });
      if (!parsed) return 0;
      const { values, positionals } = parsed;
      // `parseOptions` has merged the types of the common options and the action's own; the casts separate them.
      const common = values as Values<typeof COMMON>;
      const given = values as Values<T>;
      const [word = '', ...more] = positionals;
      if (more.length > 0) throw new CliError(`only one ${argument?.name} is allowed\n\n${help}`, 2);
      if (positionals[0] === '') throw new CliError(`an empty value is not a ${argument?.name}`, 2);
      if (argument?.required && word === '') throw new CliError(`a ${argument.name} is required\n\n${help}`, 2);
      const input = read(given, word);
      const config = readConnection(common);
      if (ifLost && isDiscarded()) throw new CliError(SHOWN_TO_NOBODY, 2);
      const asked = question?.(input);
      if (asked !== undefined && !(await confirmed(asked, common.yes === true))) return 1;
      await waitForPlane(config);
      const plane = connect(config);
      const result = await plane
        .ask((client) => call(client, input))
        .catch((error: unknown) => {
          throw toCliError(error, plane);
        });
      const lines = common.json ? undefined : linesOf(() => show(result));
      const text = lines?.map(printable).join('\n') ?? JSON.stringify(result, null, 2);
      const isUnknown = !common.json && lines === undefined;
      if (isUnknown) console.error(`tract-context ${command}: ${OF_ANOTHER_VERSION}`);
      const isPrinted = await print(text, ifLost && `tract-context ${command}: ${ifLost(result)}`);
      return isPrinted && !isUnknown && !isFailure?.(result) ? 0 : 1;
    },
  };
}

const SHOWN_TO_NOBODY =
  'nothing was done: the key would be shown only once, and to nobody, as the standard output is closed or /dev/null';
const OF_ANOTHER_VERSION =
  'the service has answered in a form that this program does not know; "system status" shows its version. The answer:';

/** Undefined for an answer that lacks what is to be shown. It must be told all the same: the command has been carried out. */
function linesOf(show: () => readonly string[]): readonly string[] | undefined {
  try {
    return show();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function commonUsage(destroys: boolean): string {
  const yes = destroys ? '  --yes               do not ask for confirmation\n' : '';
  return `${connectionUsage(20)}\n${yes}  --json              print the result as JSON`;
}
