import { PoolError } from '../pool/request.js';
import { NotStoredError } from '../webhooks/not-stored-error.js';
import { DETAILS } from './error-details.js';
import type { ValidationIssue } from './input/validation-issue.js';

/** The service's error codes, each with its HTTP status. */
export const ERROR_STATUS = {
  bad_request: 400,
  malformed_url: 400,
  missing_key: 401,
  invalid_key: 403,
  missing_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  body_too_large: 413,
  validation: 422,
  rate_limited: 429,
  headers_too_large: 431,
  // Never sent, since the client is gone; it appears in logs and metrics only. The number is nginx's.
  client_gone: 499,
  internal: 500,
  geocoder_unavailable: 502,
  no_dataset: 503,
  overloaded: 503,
  secrets_locked: 503,
  storage_full: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** Seconds after which a client may retry a request that was answered 503. */
const RETRY_AFTER_SECONDS = '1';

/** An error that is reported to the client. Everything in it is public. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    /** A sentence; for `validation` the list of issues. */
    readonly detail: string | readonly ValidationIssue[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    // An expected error needs no stack trace, and capturing one takes a fifth of the time of a refused request.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = ERROR_STATUS[code];
  }
}

/** The body of an error's answer (SPEC 7). */
export function errorBody({ status, detail }: Pick<ApiError, 'status' | 'detail'>) {
  return { error: true, status_code: status, detail } as const;
}

/** A temporary condition, after which the client may retry. */
export function unavailable(
  code: 'no_dataset' | 'overloaded' | 'secrets_locked' | 'storage_full',
  detail: string,
): ApiError {
  return new ApiError(code, detail, { 'Retry-After': RETRY_AFTER_SECONDS });
}

/** Maps anything thrown to the error that the client gets. Unexpected errors become a 500 without details. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof PoolError) return fromPool(error);
  if (error instanceof NotStoredError) return unavailable('storage_full', DETAILS.notStored);
  if (isUndecodableParameter(error)) return new ApiError('malformed_url', DETAILS.malformedUrl);
  return new ApiError('internal', DETAILS.internal);
}

/** Under overload, clients are told to retry. */
export const BUSY = unavailable('overloaded', DETAILS.busy);

/** For the log and the metrics, since nobody gets it. */
export function clientGone(): ApiError {
  return new ApiError('client_gone', 'The client closed the connection.');
}

/** All failures of the pool are temporary, except for a client that is gone. */
function fromPool({ code }: PoolError): ApiError {
  return code === 'client-gone' ? clientGone() : BUSY;
}

/** The router's own error for a path parameter such as `%ff`. Its message quotes the parameter, so it is not passed on. */
function isUndecodableParameter(error: unknown): boolean {
  return error instanceof URIError && 'status' in error && error.status === 400;
}
