import { printable } from '../../core/printable.js';
import { CliError } from '../cli-error.js';

/** Reads a key's id; an error message begins with `option`. Throws `CliError`. */
export function parseKeyId(text: string, option = ''): string {
  if (/^[0-9a-f]{16}$/.test(text)) return text;
  const shown = text === '' ? 'an empty text' : printable(text);
  throw new CliError(`${option}${shown} is no key id (16 hexadecimal digits, as keys list shows them)`, 2);
}
