/** A setting has an unusable value, or a flag does not exist. The message names it and what is accepted. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
