import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Geocoder } from '../geocode/geocoder.js';
import type { Keyring } from '../keys/keyring.js';
import type { Logger } from '../log.js';
import { logRequest, logUnexpected } from './access-log.js';
import { type Answer, errorAnswer, send } from './answer.js';
import { authenticate } from './authenticate.js';
import { ApiError, toApiError } from './errors.js';
import { type Generation, requireGeneration } from './generation.js';
import { parseQuery } from './query-string.js';
import { createRequestState } from './request-state.js';
import type { Route } from './route.js';
import { contextRoute } from './routes/context.js';
import { healthRoute } from './routes/health.js';
import { nearbyRoute } from './routes/nearby.js';
import { tractRoute } from './routes/tract.js';

export interface AppDeps {
  readonly keyring: Keyring;
  readonly geocoder: Geocoder;
  readonly logger: Logger;
  /** The live generation, if there is one. */
  readonly current: () => Generation | undefined;
  /** Why there is none. */
  readonly absence: () => string;
  readonly cacheMaxSize: number;
  /** Whether the server is stopping. */
  readonly draining: () => boolean;
}

const BODY_MAX_BYTES = 256 * 1024;
const VERSIONED = /^\/v1(?:\/|$)/;

/** The service as an Express application. */
export function createApp(deps: AppDeps): Express {
  const startedAtMs = performance.now();
  const generation = requireGeneration(deps.current);
  // The busiest first: the router tries them in turn.
  const routes = [
    contextRoute(generation, deps.geocoder),
    nearbyRoute(generation),
    tractRoute(generation),
    healthRoute({ ...deps, uptimeMs: () => performance.now() - startedAtMs }),
  ];

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Queries are parsed once, by this service's rules.
  app.set('query parser', false);
  // `/V1/context` is no name of `/v1/context`.
  app.enable('case sensitive routing');
  app.use(beginRequest(deps));
  for (const route of routes) mount(app, route, deps);
  app.use(unknownPath(deps));
  app.use(sendError(deps.logger));
  return app;
}

/** Gives every request its state, and its line in the log when it is over. */
function beginRequest({ draining, logger }: AppDeps): RequestHandler {
  return (request, response, next) => {
    response.locals.request = createRequestState(request);
    response.locals.draining = draining;
    response.once('close', () => logRequest(logger, request, response));
    next();
  };
}

/** A route with its HEAD and OPTIONS, and the refusal of all other methods. */
function mount(app: Express, route: Route, deps: AppDeps): void {
  const allow = `${route.method}, HEAD, OPTIONS`;
  const options: Answer = { status: 204, cacheControl: 'no-store', headers: { Allow: allow } };
  // One handler for all methods: each further one would cost every request a turn of the router.
  app.route(route.path).all((request, response) => {
    response.locals.request.route = route.path;
    // Browsers ask before they send a key.
    if (request.method === 'OPTIONS') return send(response, options);
    admit(request, response, deps, route.access);
    if (request.method !== route.method && request.method !== 'HEAD') {
      throw new ApiError('method_not_allowed', 'Method Not Allowed', { Allow: allow });
    }
    const answer = route.answer({ query: parseQuery(request.url), path: request.params });
    if (!(answer instanceof Promise)) return send(response, answer);
    return answer.then((finished) => send(response, finished));
  });
}

/** What every request must pass before its method and parameters are looked at. */
function admit(request: Request, response: Response, { keyring }: AppDeps, access: Route['access']): void {
  if (access === 'key') response.locals.request.key = authenticate(request, keyring);
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) {
    throw new ApiError('body_too_large', `The request body exceeds ${BODY_MAX_BYTES} bytes.`);
  }
}

/** 404; below /v1 only for those with a key. */
function unknownPath(deps: AppDeps): RequestHandler {
  return (request, response) => {
    admit(request, response, deps, VERSIONED.test(request.path) ? 'key' : 'public');
    throw new ApiError('not_found', 'Not Found');
  };
}

/** The one mapper from what was thrown to what is answered. Express knows it by its four parameters. */
function sendError(logger: Logger): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const apiError = toApiError(error);
    if (apiError.code === 'internal') logUnexpected(logger, response, error);
    // The client is gone, or has half an answer: nothing can be sent in its place.
    if (response.headersSent) response.destroy();
    else send(response, errorAnswer(apiError));
  };
}
