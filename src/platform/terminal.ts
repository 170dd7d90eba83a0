import { isatty } from 'node:tty';

const STANDARD = [0, 1, 2];

/**
 * Returns a function that tells whether the terminal on which this process now runs has been closed since: its descriptors
 * then are no terminals any more.
 */
export function watchTerminal(): () => boolean {
  const terminals = STANDARD.filter((fd) => isatty(fd));
  return () => terminals.some((fd) => !isatty(fd));
}
