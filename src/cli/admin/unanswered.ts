import type { NoAnswerError } from '../../admin/fetch-within.js';
import { CliError } from '../cli-error.js';

/** The error for a service that accepts connections but does not respond. */
export function unanswered({ mayBeDone }: NoAnswerError, url: string): CliError {
  const rest = mayBeDone ? '\nWhat it was asked to do may be done all the same; look before you ask again.' : '';
  return new CliError(`the service at ${url} does not answer; is it hung?${rest}`, 1);
}
