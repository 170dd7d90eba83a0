import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { CountingGeocoder } from '../geocode/counting-geocoder.js';
import type { Keyring } from '../keys/keyring.js';
import type { Logger, WriteLine } from '../log.js';
import type { Narrator } from '../narrative/narrator.js';
import type { Subscriptions } from '../webhooks/subscriptions.js';
import { logUnexpected, requestLine } from './access-log.js';
import { type Admit, createAdmission } from './admission.js';
import { errorAnswer } from './answer.js';
import { BODY_MAX_BYTES, bodyTooLarge } from './body.js';
import { createCors } from './cors.js';
import { createEndpoint, groupByPath } from './endpoint.js';
import { ApiError, toApiError } from './errors.js';
import type { Generation } from './generation.js';
import type { RequestMetrics } from './metrics.js';
import type { MetricsReport } from './metrics-report.js';
import type { RateLimiter } from './rate-limit.js';
import { createRequestState } from './request-state.js';
import { createRespond } from './respond.js';
import type { ResponseCache } from './response-cache.js';
import { createRoutes, type ReferenceContent } from './routes/index.js';
import { createSend, type Send } from './send.js';

export interface AppDeps {
  readonly keyring: Keyring;
  readonly limiter: RateLimiter;
  readonly cache: ResponseCache;
  readonly metrics: RequestMetrics;
  readonly geocoder: CountingGeocoder;
  readonly narrator: Narrator;
  readonly subscriptions: Subscriptions;
  readonly reference: ReferenceContent;
  readonly logger: Logger;
  /** Takes the line of each request. */
  readonly writeLine: WriteLine;
  /** The live generation, if there is one. */
  readonly current: () => Generation | undefined;
  /** Why there is none. */
  readonly absence: () => string;
  /** Origins whose pages may ask; `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Whether the server is stopping. */
  readonly draining: () => boolean;
}

/** The service as an Express application. */
export function createApp(deps: AppDeps): Express {
  const { logger, metrics, draining, writeLine } = deps;
  const logsRequests = logger.isLevelEnabled('info');
  const cors = createCors(deps.corsOrigins);
  const admit = createAdmission(deps);
  const respond = createRespond({ cache: deps.cache, generation: () => deps.current()?.dataset.generation });
  const send = createSend({
    cors,
    draining,
    onAnswered: (request, state, status, aborted) => {
      const milliseconds = performance.now() - state.startedAtMs;
      metrics.count(state.route, request.method, status, milliseconds);
      if (logsRequests) writeLine(requestLine(state, { method: request.method, status, milliseconds, aborted }));
    },
  });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Queries are parsed once, by this service's rules.
  app.set('query parser', false);
  // `/V1/context` is no name of `/v1/context`.
  app.enable('case sensitive routing');
  app.use(beginRequest(admit));
  for (const [path, routes] of groupByPath(createRoutes({ ...deps, report: createReport(deps) }))) {
    // Not `app.all`: that is a layer for each method there is, tried in turn.
    app.route(path).all(createEndpoint({ path, routes, admit, respond, send, cors }));
  }
  app.use(unknownPath(admit));
  app.use(sendError(send, logger));
  return app;
}

const VERSIONED = /^\/v1(?:\/|$)/;

/** Gives every request its state. What is below /v1 needs a key before anything else of it is looked at. */
function beginRequest(admit: Admit): RequestHandler {
  return (request, response, next) => {
    const state = createRequestState(request);
    response.locals.request = state;
    // Browsers ask with OPTIONS before they send a key.
    if (request.method !== 'OPTIONS' && VERSIONED.test(request.path)) admit(request, state);
    if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw bodyTooLarge();
    next();
  };
}

/** 404; below /v1 only for those with a key. */
function unknownPath(admit: Admit): RequestHandler {
  return (request, response) => {
    if (VERSIONED.test(request.path)) admit(request, response.locals.request);
    throw new ApiError('not_found', 'Not Found');
  };
}

/** The one mapper from what was thrown to what is answered. Express knows it by its four parameters. */
function sendError(send: Send, logger: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const apiError = toApiError(error);
    if (apiError.code === 'internal') logUnexpected(logger, response.locals.request, error);
    // Half an answer is out: nothing can be sent in its place.
    if (response.headersSent) response.destroy();
    else send(request, response, errorAnswer(apiError));
  };
}

/** What all parts count, now. */
function createReport({ metrics, cache, geocoder, narrator, limiter }: AppDeps): () => MetricsReport {
  const startedAtMs = performance.now();
  return () => ({
    uptimeSeconds: Math.round(performance.now() - startedAtMs) / 1000,
    requests: metrics.read(),
    cache: cache.stats(),
    geocoder: geocoder.stats(),
    narrative: narrator.stats(),
    activeKeys: limiter.activeKeys(),
  });
}
