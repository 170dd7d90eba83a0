import { isGenerationName } from '../../catalog/directory/generations.js';
import { CliError } from '../cli-error.js';
import { shownText } from './shown-text.js';

/** Reads a generation's name; an error message begins with `option`. Throws `CliError`. */
export function parseGeneration(text: string, option = ''): string {
  if (isGenerationName(text)) return text;
  throw new CliError(
    `${option}${shownText(text)} is not a generation (32 hexadecimal digits, as shown by "datasets list" and "inspect")`,
    2,
  );
}
