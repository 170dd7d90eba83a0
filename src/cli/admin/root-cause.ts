import { printable } from '../../core/printable.js';

/** What an error of `fetch` comes down to, such as a refused connection: its own `fetch failed` says nothing. */
export function rootCause(error: Error): string {
  if (error.cause instanceof Error) return rootCause(error.cause);
  // Where a name has several addresses, and none answers, there is a code alone.
  const code = 'code' in error ? String(error.code) : error.name;
  return printable(error.message || code);
}
