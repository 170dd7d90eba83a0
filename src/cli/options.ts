import { type ParseArgsConfig, parseArgs } from 'node:util';
import { printable } from '../core/printable.js';
import { CliError } from './cli-error.js';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What `parseArgs` gives for a command's options and `--help`. */
export type ParsedOptions<T extends Options> = ReturnType<
  typeof parseArgs<{
    args: string[];
    options: T & { help: { type: 'boolean'; short: string } };
    allowPositionals: boolean;
    strict: true;
  }>
>;

/** What a command takes beyond options that have values. */
export interface Accepted {
  /** Words that belong to no option; without it they are wrong: `--input a b` must not lose b. */
  readonly positionals?: boolean;
  /** Options without a text, as in `--owner ''`; elsewhere they come from variables of a script that are not set. */
  readonly emptyTexts?: boolean;
}

/** Parses a command's options; throws `CliError` with a line naming what is unknown or wrong, and the command's usage. */
export function parseOptions<T extends Options>(
  args: string[],
  options: T,
  usage: string,
  accepted: Accepted = {},
): ParsedOptions<T> {
  const all = { ...options, help: { type: 'boolean', short: 'h' } } as const;
  const problem = findProblem(args, all, accepted);
  if (problem !== undefined) throw new CliError(`${printable(problem)}\n\n${usage}`, 2);
  return parseArgs({ args, options: all, allowPositionals: accepted.positionals ?? false, strict: true });
}

/** The first argument that is wrong, in the words that settings have for it: the parser's own take several lines. */
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
    if (value === undefined || (value === '' && !emptyTexts)) return `${rawName} needs a value`;
    // `--output --dry-run`: the second option would otherwise be taken for the first one's value.
    if (!token.inlineValue && value.startsWith('-') && value.length > 1)
      return `${rawName} needs a value; if ${value} is it, write ${rawName}=${value}`;
  }
  return undefined;
}
