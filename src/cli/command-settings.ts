import { type CommandSources, ConfigError, type Given, readSettings } from '../config.js';
import { CliError } from './cli-error.js';

/** The settings of `fetch`, and of what else downloads. */
export const FETCH_KEYS = ['censusApiKey', 'httpProxy', 'httpsProxy', 'noProxy'] as const;

/** The settings that a command has a use for, and no others: what serves may have wrong ones. Throws `CliError`. */
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
