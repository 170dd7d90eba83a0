import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { isSameListener } from './core/listening-host.js';
import { isLoopback } from './core/loopback.js';
import { hostOf, withoutSecrets } from './core/web-url.js';
import { ConfigError } from './settings/config-error.js';
import { readFlags } from './settings/flags.js';
import { PUBLIC_NOMINATIM_URL } from './settings/geocoder.js';
import { findMistyped, type MistypedName } from './settings/mistyped.js';
import type { Setting } from './settings/setting.js';
import {
  describeSetting,
  flagOf,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type Settings,
} from './settings/settings.js';

/** The parsed values of the settings, each taken by itself. */
export type Given = { readonly [Key in SettingKey]: z.output<Settings[Key]['schema']> };

/** The service's settings, checked. */
export type Config = Omit<Given, 'workerThreads'> & { readonly workerThreads: number };

export interface ConfigSources {
  /** The flags, without the names of program and command. */
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A command's own defaults, as text, which override those of the settings table. */
  readonly defaults?: Readonly<Partial<Record<SettingKey, string>>>;
  /** Whether the command listens itself: then its two ports must not conflict. */
  readonly listens?: boolean;
}

/**
 * Reads all settings; a flag wins over the environment, and an empty variable counts as unset. Throws {@link
 * ConfigError}.
 */
export function loadConfig(sources: ConfigSources): { config: Config; printConfig: boolean } {
  const env = sources.env ?? process.env;
  const flags = readFlags(sources.argv);
  const given = readEach(SETTING_KEYS, (key) => ({
    text: flags.values.get(key) ?? givenOf(key, env) ?? sources.defaults?.[key],
    called: describeSetting(key),
  }));
  const config = { ...given, workerThreads: given.workerThreads ?? shareOfThreads(given.processes) };
  checkNominatim(config);
  checkNarrative(config);
  checkAdmin(config);
  if (sources.listens) checkPorts(config);
  checkDirectories(config);
  return { config, printConfig: flags.printConfig };
}

/** Where a command that does not serve gets its settings from. */
export interface CommandSources<Key extends SettingKey> {
  /** The values of those of the command's flags that are settings; undefined for a flag that is not given. */
  readonly flags?: Readonly<Partial<Record<Key, string | undefined>>>;
  readonly defaults?: Readonly<Partial<Record<Key, string>>>;
}

/** Reads only these settings, each by itself. Throws {@link ConfigError}, naming the flag only if the command has it. */
export function readSettings<Key extends SettingKey>(
  keys: readonly Key[],
  { flags, defaults }: CommandSources<Key>,
): Pick<Given, Key> {
  return readEach(keys, (key) => ({
    text: flags?.[key] ?? givenOf(key, process.env) ?? defaults?.[key],
    called: flags && key in flags ? describeSetting(key) : SETTINGS[key].name,
  }));
}

/** The text that a setting is given, if any, and what errors call it. */
interface GivenText {
  readonly text: string | undefined;
  readonly called: string;
}

function readEach<Key extends SettingKey>(keys: readonly Key[], given: (key: Key) => GivenText): Pick<Given, Key> {
  const entries = keys.map((key) => {
    const { text = SETTINGS[key].fallback, called } = given(key);
    return [key, check(SETTINGS[key], text, called)];
  });
  // Each value has just come out of its own setting's schema.
  return Object.fromEntries(entries) as Pick<Given, Key>;
}

/** The value of a setting's environment variable; an empty one counts as unset. */
function givenOf(key: SettingKey, env: NonNullable<ConfigSources['env']>): string | undefined {
  const { name, otherName = name }: Setting<unknown> = SETTINGS[key];
  return env[name] || env[otherName] || undefined;
}

/** Worker threads per process, such that all main and worker threads together are as many as the cores, if possible. */
function shareOfThreads(processes: number): number {
  return Math.max(1, Math.floor(availableParallelism() / processes) - 1);
}

/** Enforces the public server's usage policy: https://operations.osmfoundation.org/policies/nominatim/ */
function checkNominatim({ geocoder, nominatimUrl, nominatimContact, nominatimRequestsPerSecond }: Config): void {
  if (!geocoder.includes('nominatim') || new URL(nominatimUrl).host !== new URL(PUBLIC_NOMINATIM_URL).host) return;
  if (nominatimContact === '') {
    throw new ConfigError(`${SETTINGS.geocoder.name}=nominatim needs ${describeSetting('nominatimContact')}`);
  }
  if (nominatimRequestsPerSecond > 1) {
    const rate = `${describeSetting('nominatimRequestsPerSecond')} is "${nominatimRequestsPerSecond}"`;
    throw new ConfigError(`${rate}; accepted: at most 1 with the public server`);
  }
}

/** Requires the settings without which a language model cannot be asked. */
function checkNarrative({ narrativeProvider, narrativeApiKey, narrativeBaseUrl, narrativeModel }: Config): void {
  if (narrativeProvider === 'rules') return;
  const { name } = SETTINGS.narrativeProvider;
  const needs = (needed: SettingKey): ConfigError =>
    new ConfigError(`${name}=${narrativeProvider} needs ${describeSetting(needed)}`);
  if (narrativeModel === '') throw needs('narrativeModel');
  const ownEndpoint = narrativeProvider === 'openai' && narrativeBaseUrl !== '';
  if (narrativeApiKey === '' && !ownEndpoint) throw needs('narrativeApiKey');
}

/** Requires TLS beyond this machine: the token opens everything, and must not be overheard. */
function checkAdmin({ adminHost, adminTlsCert, adminTlsKey, adminAllowPlaintext }: Config): void {
  const { adminTlsCert: cert, adminTlsKey: key, adminAllowPlaintext: allow } = SETTINGS;
  if ((adminTlsCert === '') !== (adminTlsKey === ''))
    throw new ConfigError(`${cert.name} and ${key.name} must be set together`);
  if (adminTlsCert !== '' || adminAllowPlaintext || isLoopback(adminHost)) return;
  throw new ConfigError(
    `${describeSetting('adminHost')} is ${JSON.stringify(adminHost)}, which other machines may reach: ` +
      `set ${cert.name} and ${key.name}, or ${allow.name}=true`,
  );
}

/** Refuses equal ports on one address: one of the two listeners would find it taken, for ever. */
function checkPorts({ host, port, adminHost, adminPort }: Config): void {
  if (port === 0 || port !== adminPort || !isSameListener(host, adminHost)) return;
  const [one, other] = [describeSetting('port'), describeSetting('adminPort')];
  throw new ConfigError(`${one} and ${other} are both ${port}; choose two different ports, or 0 to pick a free one`);
}

/** Refuses one directory for both: a restore moves the state's aside as a whole. */
function checkDirectories({ datasetsDir, stateDir }: Config): void {
  if (resolve(datasetsDir) !== resolve(stateDir)) return;
  const [one, other] = [describeSetting('datasetsDir'), describeSetting('stateDir')];
  throw new ConfigError(`${one} and ${other} are both ${JSON.stringify(stateDir)}; choose two different directories`);
}

/** Environment variables that may be misspelled settings, which are therefore ignored. */
export function mistypedSettings(): MistypedName[] {
  const names = SETTING_KEYS.flatMap((key) => {
    const { name, otherName = name }: Setting<unknown> = SETTINGS[key];
    return [name, otherName];
  });
  return findMistyped(Object.keys(process.env), names);
}

/** The settings by which addresses, or a tract's values with a key, leave this machine unencrypted. */
export function plaintextSettings(config: Config): string[] {
  const used: readonly (readonly [boolean, SettingKey, string])[] = [
    [config.geocoder.includes('census'), 'censusUrl', config.censusUrl],
    [config.geocoder.includes('nominatim'), 'nominatimUrl', config.nominatimUrl],
    [config.narrativeProvider !== 'rules', 'narrativeBaseUrl', config.narrativeBaseUrl],
  ];
  return used
    .filter(([isUsed, , url]) => isUsed && url !== '' && isOverheard(new URL(url)))
    .map(([, key]) => SETTINGS[key].name);
}

const isOverheard = (url: URL): boolean => url.protocol === 'http:' && !isLoopback(hostOf(url));

/** The settings by name, in the order of the table. Secrets are masked; of a list of them, only the length is shown. */
export function configEntries(config: Config): { name: string; value: string }[] {
  return SETTING_KEYS.map((key) => {
    const { name, secret } = SETTINGS[key];
    const value = config[key];
    return { name, value: secret ? masked(value) : String(value) };
  });
}

/** The settings as `NAME=value` lines. */
export function describeConfig(config: Config): string {
  return configEntries(config)
    .map(({ name, value }) => `${name}=${value}\n`)
    .join('');
}

function masked(value: Config[SettingKey]): string {
  if (Array.isArray(value)) return `*** (${value.length} set)`;
  return value === '' || value === undefined ? '' : '***';
}

/** Of a secret: a process's arguments are no secret to the machine's other users, its environment is. */
const READABLE_FLAG = 'Set the variable: every user of this machine can read the flag.';

/** Help text: every setting's flag, meaning, accepted values and default. `own` are a command's own defaults. */
export function describeSettings(own: ConfigSources['defaults'] = {}): string {
  return SETTING_KEYS.map((key) => {
    const { name, alias, about, accepts, secret, fallback: usual }: Setting<unknown> = SETTINGS[key];
    const fallback = own[key] === undefined || !secret ? (own[key] ?? usual) : 'generated for this run';
    const flags = [flagOf(name), ...(alias ? [`--${alias}`] : [])].join(', ');
    const warning = secret ? `      ${READABLE_FLAG}\n` : '';
    return `  ${flags}  (${name})\n      ${about}\n      Accepts ${accepts}. Default: ${fallback || 'none'}.\n${warning}`;
  }).join('');
}

function check({ accepts, schema, secret }: Setting<unknown>, value: string, called: string): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  // A URL is refused if it has a user or a query: the log must not have them either.
  const is = secret ? 'is invalid' : `is ${JSON.stringify(withoutSecrets(value))}`;
  throw new ConfigError(`${called} ${is}; accepted: ${accepts}`);
}
