import { isatty } from 'node:tty';

const STANDARD = [0, 1, 2];

/** Gives what tells whether the terminal has been closed that this process stands on now: it is none any more then. */
export function watchTerminal(): () => boolean {
  const terminals = STANDARD.filter((fd) => isatty(fd));
  return () => terminals.some((fd) => !isatty(fd));
}
