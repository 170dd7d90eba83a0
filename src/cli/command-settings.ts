import { type CommandSources, type Given, readSettings } from '../config.js';
import { ConfigError } from '../settings/config-error.js';
import { CliError } from './cli-error.js';

/** The settings of every command that downloads. */
export const FETCH_KEYS = ['censusApiKey', 'httpProxy', 'httpsProxy', 'noProxy'] as const;

/** Reads only the settings that a command uses, so that wrong ones for serving do not matter. Throws `CliError`. */
export function readCommandSettings<Key extends keyof Given>(
  keys: readonly Key[],
  sources: CommandSources<Key> = {},
): Pick<Given, Key> {
  try {
    return readSettings(keys, sources);
  } catch (error) {
    throw error instanceof ConfigError ? new CliError(error.message, 2) : error;
  }
}
