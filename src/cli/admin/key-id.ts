import { CliError } from '../cli-error.js';
import { shownText } from './shown-text.js';

/** Reads a key's id; an error message begins with `option`. Throws `CliError`. */
export function parseKeyId(text: string, option = ''): string {
  if (/^[0-9a-f]{16}$/.test(text)) return text;
  throw new CliError(`${option}${shownText(text)} is not a key id (16 hexadecimal digits, as shown by "keys list")`, 2);
}
