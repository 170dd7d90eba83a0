import { parseArgs } from 'node:util';
import { printable } from '../core/printable.js';
import { ConfigError } from './config-error.js';
import { isOneSlip } from './mistyped.js';
import type { Setting } from './setting.js';
import { describeSetting, flagOf, SETTING_KEYS, SETTINGS, type SettingKey } from './settings.js';

/** The flags of a command line. */
export interface Flags {
  /** The texts that settings are given. */
  readonly values: ReadonlyMap<SettingKey, string>;
  /** Whether `--print-config` is given. */
  readonly printConfig: boolean;
}

/** Reads the flags of a command that takes every setting. Throws {@link ConfigError} for what is none of them. */
export function readFlags(argv: readonly string[]): Flags {
  const keyByFlag = new Map<string, SettingKey>();
  for (const key of SETTING_KEYS) {
    const { name, alias }: Setting<unknown> = SETTINGS[key];
    keyByFlag.set(flagOf(name).slice(2), key);
    if (alias) keyByFlag.set(alias, key);
  }
  const known = inLines([...keyByFlag.keys(), 'print-config'].map((flag) => `--${flag}`));
  const options = Object.fromEntries(
    // For the parser, an option of type string takes the next argument as its value, and a boolean takes none.
    [...keyByFlag].map(([flag, key]) => [flag, { type: SETTINGS[key].bare ? 'boolean' : 'string' } as const]),
  );
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...options, 'print-config': { type: 'boolean' } },
    strict: false,
    tokens: true,
  });
  const values = new Map<SettingKey, string>();
  let printConfig = false;
  let before: FlagBefore | undefined;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional')
      throw new ConfigError(`${describeUnexpected(token.value, before)}; accepted: ${known}`);
    if (token.name === 'print-config') {
      if (token.value !== undefined) throw new ConfigError('--print-config takes no value');
      printConfig = true;
      continue;
    }
    const key = keyByFlag.get(token.name);
    if (!key) throw new ConfigError(`${describeUnknown(token, [...keyByFlag.keys()])}; accepted: ${known}`);
    // `--port --host x`: the second flag would otherwise be taken for the first one's value.
    const isBare = token.value === undefined || (!token.inlineValue && token.value.startsWith('--'));
    if (values.has(key)) throw new ConfigError(`${describeSetting(key)} is given twice`);
    const value = isBare ? SETTINGS[key].bare : token.value;
    if (value === undefined) throw new ConfigError(`${token.rawName} needs a value`);
    values.set(key, value);
    before = { key, rawName: token.rawName, isBare };
  }
  return { values, printConfig };
}

/** Names the flag that may be meant, which is hard to find among all. */
function describeUnknown(
  { name, rawName }: { readonly name: string; readonly rawName: string },
  flags: string[],
): string {
  const meant = flags.find((flag) => isOneSlip(name.toLowerCase().replaceAll('_', '-'), flag));
  return `unknown flag ${rawName}${meant === undefined ? '' : ` (--${meant} may be meant)`}`;
}

/** The flag in front of an unexpected argument. */
interface FlagBefore {
  readonly key: SettingKey;
  readonly rawName: string;
  /** Whether it was given without a value. */
  readonly isBare: boolean;
}

/** Describes an argument that belongs to no flag, but never shows a piece of a secret, as in `--api-keys a, b`. */
function describeUnexpected(argument: string, before: FlagBefore | undefined): string {
  if (before && SETTINGS[before.key].secret) return `unexpected argument after the value of ${before.rawName}`;
  const shown = argument === '' ? "''" : printable(argument);
  const hint = before?.isBare ? ` (if it is the value of ${before.rawName}, write ${before.rawName}=${shown})` : '';
  return `unexpected argument ${shown}${hint}`;
}

const LINE_MAX_CHARACTERS = 76;

/** Formats a list for a terminal, wrapped into lines. */
function inLines(items: readonly string[]): string {
  const lines = [''];
  for (const item of items) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? item : `${line}, ${item}`;
    if (longer.length > LINE_MAX_CHARACTERS) lines.push(item);
    else lines[lines.length - 1] = longer;
  }
  return lines.join(',\n  ');
}
