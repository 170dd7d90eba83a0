import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { flagOf, SETTINGS, type Setting, type SettingKey, type Settings } from './settings.js';

/** A constant's own keys are its type's. */
const KEYS = Object.keys(SETTINGS) as SettingKey[];

/** The service's settings, checked. */
export type Config = { readonly [Key in SettingKey]: z.output<Settings[Key]['schema']> };

/** A setting that cannot be used, or a flag that does not exist. The message names it and what is accepted. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface ConfigSources {
  /** Flags, without the program's and command's names. */
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Defaults of one command that differ from the table's, as text. */
  readonly defaults?: Readonly<Partial<Record<SettingKey, string>>>;
}

/** Reads all settings; a flag wins over the environment, and an empty variable counts as unset. Throws {@link ConfigError}. */
export function loadConfig(sources: ConfigSources): { config: Config; printConfig: boolean } {
  const env = sources.env ?? process.env;
  const flags = readFlags(sources.argv);
  const entries = KEYS.map((key) => {
    const { name, fallback } = SETTINGS[key];
    const given = flags.values.get(name) ?? (env[name] || undefined) ?? sources.defaults?.[key] ?? fallback;
    return [key, check(SETTINGS[key], given)];
  });
  // Each value has just come out of its own setting's schema.
  const config = Object.fromEntries(entries) as Config;
  checkNarrative(config);
  return { config, printConfig: flags.printConfig };
}

/** What a language model cannot be asked without. */
function checkNarrative({ narrativeProvider, narrativeApiKey, narrativeBaseUrl, narrativeModel }: Config): void {
  if (narrativeProvider === 'rules') return;
  const { name } = SETTINGS.narrativeProvider;
  const needs = (needed: Setting<unknown>): ConfigError =>
    new ConfigError(`${name}=${narrativeProvider} needs ${needed.name} (${flagOf(needed.name)})`);
  if (narrativeModel === '') throw needs(SETTINGS.narrativeModel);
  const ownEndpoint = narrativeProvider === 'openai' && narrativeBaseUrl !== '';
  if (narrativeApiKey === '' && !ownEndpoint) throw needs(SETTINGS.narrativeApiKey);
}

/** The settings as `NAME=value` lines; secrets are only counted. */
export function describeConfig(config: Config): string {
  return KEYS.map((key) => {
    const { name, secret } = SETTINGS[key];
    const value = config[key];
    return `${name}=${secret ? masked(value) : String(value)}\n`;
  }).join('');
}

function masked(value: Config[SettingKey]): string {
  if (Array.isArray(value)) return `*** (${value.length} set)`;
  return value === '' || value === undefined ? '' : '***';
}

/** Every setting with its flag, meaning, accepted values and default, for people. */
export function describeSettings(): string {
  return KEYS.map((key) => {
    const { name, alias, about, accepts, fallback } = SETTINGS[key];
    const flags = [flagOf(name), ...(alias ? [`--${alias}`] : [])].join(', ');
    return `  ${flags}  (${name})\n      ${about}\n      Accepts ${accepts}. Default: ${fallback || 'none'}.\n`;
  }).join('');
}

function check({ name, accepts, schema, secret }: Setting<unknown>, value: string): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const is = secret ? 'is not usable' : `is ${JSON.stringify(value)}`;
  throw new ConfigError(`${name} (${flagOf(name)}) ${is}; accepted: ${accepts}`);
}

function readFlags(argv: readonly string[]): { values: Map<string, string>; printConfig: boolean } {
  const nameByFlag = new Map<string, string>();
  for (const { name, alias } of KEYS.map((key): Setting<unknown> => SETTINGS[key])) {
    nameByFlag.set(flagOf(name).slice(2), name);
    if (alias) nameByFlag.set(alias, name);
  }
  const known = [...nameByFlag.keys()].map((flag) => `--${flag}`).join(', ');
  const options = Object.fromEntries([...nameByFlag.keys()].map((flag) => [flag, { type: 'string' as const }]));
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...options, 'print-config': { type: 'boolean' } },
    strict: false,
    tokens: true,
  });
  const values = new Map<string, string>();
  let printConfig = false;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') throw new ConfigError(`unexpected argument; accepted: ${known}, --print-config`);
    if (token.name === 'print-config' && token.value === undefined) {
      printConfig = true;
      continue;
    }
    const name = nameByFlag.get(token.name);
    if (!name) throw new ConfigError(`unknown flag ${token.rawName}; accepted: ${known}, --print-config`);
    // `--port --host x`: the second flag would otherwise be taken for the first one's value.
    if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))) {
      throw new ConfigError(`${token.rawName} needs a value`);
    }
    values.set(name, token.value);
  }
  return { values, printConfig };
}
