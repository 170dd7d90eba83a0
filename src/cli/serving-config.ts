import { type Config, type ConfigSources, describeConfig, describeSettings, loadConfig } from '../config.js';
import { ConfigError } from '../settings/config-error.js';
import { CliError } from './cli-error.js';

/**
 * Reads the settings of a command that serves. For `--help` and `--print-config` it prints them and returns undefined.
 * Throws `CliError` for a wrong setting.
 */
export function readServingConfig(
  command: string,
  argv: string[],
  defaults: ConfigSources['defaults'] = {},
): Config | undefined {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(`Usage: tract-context ${command} [options]\n\n${describeSettings(defaults)}`);
    process.stdout.write('  --print-config\n      Print the settings in force and exit.\n');
    return undefined;
  }
  try {
    const { config, printConfig } = loadConfig({ argv, defaults, listens: true });
    if (!printConfig) return config;
    process.stdout.write(describeConfig(config));
    return undefined;
  } catch (error) {
    throw error instanceof ConfigError ? new CliError(error.message, 2) : error;
  }
}
