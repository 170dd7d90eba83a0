import { printable } from '../../core/printable.js';

/** What was typed, as an error message shows it: an empty text, as of an unset variable in a script, must be seen, too. */
export function shownText(text: string): string {
  return text === '' ? 'an empty text' : printable(text);
}
