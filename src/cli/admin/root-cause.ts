import { printable } from '../../core/printable.js';

/** The innermost cause of an error of `fetch`, such as a refused connection: `fetch failed` alone says nothing. */
export function rootCause(error: Error): string {
  if (error.cause instanceof Error) return rootCause(error.cause);
  // If none of a name's several addresses responds, the error has only a code and no message.
  const code = 'code' in error ? String(error.code) : error.name;
  return printable(error.message || code);
}
