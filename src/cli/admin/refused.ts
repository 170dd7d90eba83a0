import { CliError } from '../cli-error.js';
import type { Connection } from './connect.js';

/** The message for a token that the plane refused. */
export function refusedToken({ url, tokenFrom }: Connection): string {
  return `the admin plane at ${url} refused the token of ${tokenFrom}`;
}

/** The error for a plane that does not have the procedure, for example because the URL has a path. */
export function nothingThere({ url }: Connection, message: string): CliError {
  return new CliError(`what the command asks for is not at ${url}; see ADMIN_URL (${message})`, 1);
}
