import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { groupBy } from '../core/group-by.js';
import type { Logger, WriteLine } from '../log.js';
import { NotStoredError } from '../webhooks/not-stored-error.js';
import { type AdmissionDeps, type Admit, createAdmit } from './access/admission.js';
import { createScopeCheck } from './access/scopes.js';
import { logNotStored, logUnexpected, requestLine } from './access-log.js';
import { errorAnswer } from './answer.js';
import { createEndpoint, type EndpointDeps, type Fail } from './endpoint.js';
import { ApiError, toApiError } from './errors.js';
import { BODY_MAX_BYTES, bodyTooLarge } from './input/body.js';
import type { Reporting } from './metrics/reporting.js';
import { createRequestState, releaseGeneration, usageRoute } from './request-state.js';
import { createRespond, type RespondDeps } from './respond.js';
import { createRoutes, type RouteDeps } from './routes/index.js';
import { createCors } from './sending/cors.js';
import { createSend, type Send, type SendDeps } from './sending/send.js';

export interface AppDeps
  extends RouteDeps,
    RespondDeps,
    Omit<AdmissionDeps, 'requireScope'>,
    Pick<SendDeps, 'draining' | 'serverTiming' | 'answerTimeoutMs' | 'unreadMaxBytes' | 'compressingMaxBytes'>,
    Pick<EndpointDeps, 'acquire'> {
  /** Called for every answered request with a valid key: the key's id, and the route's pattern or its placeholder. */
  readonly countUse: (keyId: string, route: string) => void;
  /** The counts of all parts of the service, including `metrics` and `cache`. */
  readonly reporting: Reporting;
  readonly logger: Logger;
  /** Writes a request's log line. */
  readonly writeLine: WriteLine;
  /** Origins that CORS allows; `*` for all. */
  readonly corsOrigins: readonly string[];
}

/** The service as an Express application. */
export function createApp(deps: AppDeps): Express {
  const { logger, metrics, writeLine } = deps;
  const logsRequests = logger.isLevelEnabled('info');
  const cors = createCors(deps.corsOrigins);
  const routes = createRoutes(deps);
  const admit = createAdmit({ ...deps, requireScope: createScopeCheck(routes) });
  const { answered } = deps.reporting;
  const respond = createRespond(deps);
  const send = createSend({
    ...deps,
    cors,
    onAnswered: (request, state, { status, aborted, times }) => {
      releaseGeneration(state);
      const milliseconds = performance.now() - state.startedAtMs;
      metrics.count(state.route, request.method, status, milliseconds);
      if (times && status < 400) metrics.countStages(times);
      answered();
      if (state.key) deps.countUse(state.key.id, usageRoute(state, status));
      if (logsRequests) writeLine(requestLine(state, { method: request.method, status, milliseconds, aborted }));
    },
    onFailed: (state, error) => {
      releaseGeneration(state);
      logUnexpected(logger, state, error);
    },
  });

  const fail = createFail(send, logger);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Query strings are parsed once, by `parseQuery`.
  app.set('query parser', false);
  // `/V1/context` must not match `/v1/context`.
  app.enable('case sensitive routing');
  app.use(beginRequest(admit, fail));
  for (const [path, behind] of groupBy(routes, ({ path }) => path)) {
    // `app.all` would add a layer for every HTTP method, and the router would try them in turn.
    app
      .route(path)
      .all(createEndpoint({ path, routes: behind, admit, acquire: deps.acquire, respond, send, fail, cors }));
  }
  app.use(unknownPath(admit));
  app.use(routerError(fail));
  return app;
}

const VERSIONED = /^\/v1(?:\/|$)/;

/** Attaches the state to every request. Below /v1 the key is checked before anything else. */
function beginRequest(admit: Admit, fail: Fail): RequestHandler {
  return (request, response, next) => {
    const state = createRequestState(request);
    response.locals.request = state;
    try {
      // A browser's CORS preflight carries no key.
      const asksFirst = request.method === 'OPTIONS' && state.headers['x-api-key'] === undefined;
      if (!asksFirst && VERSIONED.test(request.path)) admit(request, state);
      if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw bodyTooLarge();
    } catch (error) {
      return fail(error, request, response);
    }
    next();
  };
}

/** Answers 404; below /v1 only to a client with a valid key, so that others get 401 or 403. */
function unknownPath(admit: Admit): RequestHandler {
  return (request, response) => {
    if (VERSIONED.test(request.path)) admit(request, response.locals.request);
    throw new ApiError('not_found', 'Not Found');
  };
}

/**
 * The only place where a thrown error becomes an answer. Handlers call it directly: on the way to an error handler the
 * router would match the path against all remaining routes, a quarter of the cost of a refusal.
 */
function createFail(send: Send, logger: Logger): Fail {
  return (error, request, response) => {
    const apiError = toApiError(error);
    if (apiError.code === 'internal') logUnexpected(logger, response.locals.request, error);
    if (error instanceof NotStoredError) logNotStored(logger, response.locals.request, error);
    send(request, response, errorAnswer(apiError));
  };
}

/** Handles the errors of the router itself and of `unknownPath`. Express recognizes it by its four parameters. */
function routerError(fail: Fail): ErrorRequestHandler {
  return (error, request, response, _next) => fail(error, request, response);
}
