import type { Request, Response } from 'express';
import { describeError, type Logger } from '../log.js';

/** One line a request: the route's pattern instead of the URL, and the key's id instead of the key. */
export function logRequest(logger: Logger, request: Request, response: Response): void {
  if (!logger.isLevelEnabled('info')) return;
  const { id, startedAtMs, route, key } = response.locals.request;
  logger.info(
    {
      route,
      method: request.method,
      status: response.statusCode,
      duration_ms: Math.round((performance.now() - startedAtMs) * 100) / 100,
      request_id: id,
      key_id: key?.id ?? null,
      // The client went before it had the whole answer.
      ...(response.writableFinished ? {} : { aborted: true }),
    },
    'request',
  );
}

/** The bug behind a 500, by which a maintainer finds it. */
export function logUnexpected(logger: Logger, response: Response, error: unknown): void {
  const { id, route } = response.locals.request;
  logger.error({ route, request_id: id, ...describeError(error) }, 'unexpected error');
}
