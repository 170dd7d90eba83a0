import type { ParseArgsConfig } from 'node:util';
import { TRPCClientError } from '@trpc/client';
import type { AdminClient } from '../../admin/client.js';
import { NoAnswerError } from '../../admin/fetch-within.js';
import type { AppRouter } from '../../admin/router.js';
import { printable } from '../../core/printable.js';
import { CliError } from '../cli-error.js';
import { parseOptions } from '../options.js';
import { confirmed } from './confirm.js';
import {
  CONNECTION_OPTIONS,
  type Connection,
  connect,
  connectionUsage,
  readConnection,
  waitForPlane,
} from './connect.js';
import { nothingThere, refusedToken } from './refused.js';
import { rootCause } from './root-cause.js';
import { unanswered } from './unanswered.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ReturnType<typeof parseOptions<T>>['values'];

/**
 * What a command does on the admin plane: one procedure. Whatever was typed wrong is told before the plane is looked
 * for.
 */
export interface ActionDefinition<T extends Options, Input, Result> {
  readonly summary: string;
  /** What follows the command's name, and a line for each option. */
  readonly usage: string;
  readonly options: T;
  /** What is to be known to read the result. */
  readonly note?: string;
  /** What the word after the action is, where it takes one. */
  readonly argument?: { readonly name: string; readonly required: boolean };
  /**
   * What was typed, as the procedure takes it. It looks at nothing else and comes before everything else. Throws
   * `CliError` with exit code 2.
   */
  read(values: Values<T>, argument: string): Input;
  /** What the person is asked before something is destroyed. */
  readonly question?: (input: Input) => string | undefined;
  call(client: AdminClient, input: Input): Promise<Result>;
  /** The result for people; `--json` prints it as it is. */
  show(result: Result): readonly string[];
  /** Whether the result, which is printed all the same, is a failure. */
  readonly isFailure?: (result: Result) => boolean;
}

export interface Action {
  readonly summary: string;
  run(command: string, args: string[]): Promise<number>;
}

const COMMON = { ...CONNECTION_OPTIONS, json: { type: 'boolean' }, yes: { type: 'boolean' } } as const;

/** An action whose options', input's and result's types are its own affair. */
export function defineAction<const T extends Options, Input, Result>(
  definition: ActionDefinition<T, Input, Result>,
): Action {
  const { summary, usage, options, note, argument, read, question, call, show, isFailure } = definition;
  return {
    summary,
    run: async (command, args) => {
      const [words = '', ...own] = usage.split('\n\n');
      const optionLines = [...own, commonUsage(question !== undefined)].join('\n');
      const notes = note === undefined ? '' : `\n\n${note}`;
      const help = `Usage: tract-context ${command} ${words}\n\n${summary}\n\n${optionLines}${notes}`;
      const { values, positionals } = parseOptions(args, { ...COMMON, ...options }, help, {
        positionals: argument !== undefined,
        emptyTexts: true,
      });
      // The common options and the action's own, each with its type: the parser cannot tell them apart any more.
      const common = values as Values<typeof COMMON>;
      const given = values as Values<T>;
      if (common.help) {
        console.log(help);
        return 0;
      }
      const [word = '', ...more] = positionals;
      if (more.length > 0) throw new CliError(`at most one ${argument?.name} is taken\n\n${help}`, 2);
      if (argument?.required && word === '') throw new CliError(`one ${argument.name} is needed\n\n${help}`, 2);
      const input = read(given, word);
      const config = readConnection(common);
      const asked = question?.(input);
      if (asked !== undefined && !(await confirmed(asked, common.yes === true))) return 1;
      await waitForPlane(config);
      const plane = connect(config, common);
      const result = await plane
        .ask((client) => call(client, input))
        .catch((error: unknown) => {
          throw toCliError(error, plane);
        });
      console.log(common.json ? JSON.stringify(result, null, 2) : show(result).map(printable).join('\n'));
      return isFailure?.(result) ? 1 : 0;
    },
  };
}

function commonUsage(destroys: boolean): string {
  const yes = destroys ? '  --yes               do not ask\n' : '';
  return `${connectionUsage(20)}\n${yes}  --json              print the result as JSON`;
}

/** What went wrong on the way to the plane or there, as a line. */
function toCliError(error: unknown, plane: Connection): unknown {
  const { url } = plane;
  if (!(error instanceof TRPCClientError)) return error;
  if (error.cause instanceof NoAnswerError) return unanswered(error.cause, url);
  const { data, message }: TRPCClientError<AppRouter> = error;
  if (!data && error.meta?.response !== undefined)
    return new CliError(`what answers at ${url} is no admin plane; see ADMIN_URL and ADMIN_PORT`, 1);
  if (!data)
    return new CliError(
      `the admin plane cannot be reached at ${url}; is the service running? (${rootCause(error)})`,
      1,
    );
  if (data.code === 'UNAUTHORIZED') return new CliError(refusedToken(plane), 1);
  // A key or a subscription that is not there comes with a reason.
  if (data.code === 'NOT_FOUND' && !data.reason) return nothingThere(plane, printable(message));
  return new CliError(printable(message), data.reason === 'invalid-input' ? 2 : 1);
}
