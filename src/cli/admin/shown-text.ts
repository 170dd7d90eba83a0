import { printable } from '../../core/printable.js';

/** What was typed, as an error message shows it: an empty one, as of an unset variable in a script, must be seen, too. */
export function shownText(text: string): string {
  return text === '' ? 'an empty value' : printable(text);
}
