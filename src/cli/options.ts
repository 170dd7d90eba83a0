import { type ParseArgsConfig, parseArgs } from 'node:util';
import { printable } from '../core/printable.js';
import { CliError } from './cli-error.js';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The result of `parseArgs` for a command's options and `--help`. */
export type ParsedOptions<T extends Options> = ReturnType<
  typeof parseArgs<{
    args: string[];
    options: T & { help: { type: 'boolean'; short: string } };
    allowPositionals: boolean;
    strict: true;
  }>
>;

/** What a command accepts besides options with non-empty values. */
export interface Accepted {
  /** Positional arguments. Otherwise they are errors, so that the b of `--input a b` is not silently dropped. */
  readonly positionals?: boolean;
  /** The options that may be empty, as in `--owner ''`. Others are so by unset variables in scripts, which are errors. */
  readonly emptyTexts?: readonly string[];
}

/**
 * Parses a command's options; for `--help`, prints the command's usage and returns undefined. Throws `CliError` with a line
 * naming the wrong argument, and the usage.
 */
export function parseOptions<T extends Options>(
  args: string[],
  options: T,
  usage: string,
  accepted: Accepted = {},
): ParsedOptions<T> | undefined {
  const all = { ...options, help: { type: 'boolean', short: 'h' } } as const;
  const problem = findProblem(args, all, accepted);
  if (problem !== undefined) throw new CliError(`${printable(problem)}\n\n${usage}`, 2);
  const parsed = parseArgs({ args, options: all, allowPositionals: accepted.positionals ?? false, strict: true });
  if (!('help' in parsed.values)) return parsed;
  console.log(usage);
  return undefined;
}

/** Describes the first wrong argument, worded like errors in settings: the parser's own messages take several lines. */
function findProblem(args: string[], options: Options, { positionals, emptyTexts }: Accepted): string | undefined {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      if (positionals) continue;
      return `unexpected argument ${token.value === '' ? "''" : token.value}`;
    }
    const { name, rawName, value } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option) return `unknown option ${rawName}`;
    if (given.has(name) && !option.multiple) return `${rawName} is given twice`;
    given.add(name);
    if (option.type === 'boolean') {
      if (value !== undefined) return `${rawName} takes no value`;
      continue;
    }
    if (value === undefined || (value === '' && !emptyTexts?.includes(name))) return `${rawName} needs a value`;
    // `--output --dry-run`: otherwise the second option would be taken as the value of the first.
    if (!token.inlineValue && value.startsWith('-') && value.length > 1)
      return `${rawName} needs a value; if ${value} is the value, write ${rawName}=${value}`;
  }
  return undefined;
}
