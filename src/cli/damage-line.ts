import type { FormatErrorCode } from '../format/format-error.js';

/** A line about one thing that is wrong with a generation. What this user may not read need not be damaged. */
export function damageLine({ code, message }: { readonly code: string; readonly message: string }): string {
  const unreadable: FormatErrorCode = 'cannot-open';
  return code === unreadable ? `cannot be read: ${message}` : `damaged: ${message}`;
}
