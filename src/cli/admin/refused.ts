import { CliError } from '../cli-error.js';
import type { Connection } from './connect.js';

/** What a person is told whose token the plane does not take. */
export function refusedToken({ url, tokenFrom }: Connection): string {
  return `the admin plane at ${url} refused the token of ${tokenFrom}`;
}

/** What a person is told where a plane answers that has nothing of what it is asked for, as where the URL has a path. */
export function nothingThere({ url }: Connection, message: string): CliError {
  return new CliError(`what the command asks for is not at ${url}; see ADMIN_URL (${message})`, 1);
}
