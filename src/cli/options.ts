import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CliError } from './cli-error.js';

/** What `parseArgs` gives for a command's options and `--help`. */
export type ParsedOptions<T extends NonNullable<ParseArgsConfig['options']>> = ReturnType<
  typeof parseArgs<{
    args: string[];
    options: T & { help: { type: 'boolean'; short: string } };
    allowPositionals: boolean;
    strict: true;
  }>
>;

/**
 * Parses a command's options; throws `CliError` naming what is unknown or wrong, with the command's usage. A word that
 * belongs to no option is wrong, too, unless the command takes such: `--input a b` must not lose b.
 */
export function parseOptions<T extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: T,
  usage: string,
  allowPositionals = false,
): ParsedOptions<T> {
  try {
    return parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals,
      strict: true,
    });
  } catch (error) {
    throw new CliError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, 2);
  }
}
