/** What comes first in a command line, the name of a command or of an action, and the arguments that follow it. */
export interface FirstWord {
  readonly name: string;
  readonly args: string[];
  /** Whether it asks for the list of names instead, as an empty command line does. */
  readonly isHelp: boolean;
}

export function readFirstWord([first = '--help', ...rest]: readonly string[]): FirstWord {
  const [subject, ...more] = rest;
  // `help fetch` means `fetch --help`.
  if (first === 'help' && subject !== undefined) return { name: subject, args: [...more, '--help'], isHelp: false };
  return { name: first, args: rest, isHelp: ['--help', '-h', 'help'].includes(first) };
}
