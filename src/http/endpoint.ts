import type { Request, RequestHandler, Response } from 'express';
import type { Lease } from '../catalog/leases.js';
import type { Admit } from './access/admission.js';
import type { Answer } from './answer.js';
import { DETAILS } from './error-details.js';
import { ApiError } from './errors.js';
import type { Generation } from './generation.js';
import { readJsonBody, requireJson } from './input/body.js';
import { askForBody, isHeldBack } from './input/held-back-bodies.js';
import { parseQuery, type QueryParameters } from './input/query-string.js';
import type { Respond } from './respond.js';
import type { Route } from './route.js';
import type { Cors } from './sending/cors.js';
import type { Send } from './sending/send.js';

export interface EndpointDeps {
  readonly path: string;
  /** The routes of this path; no two have the same method. */
  readonly routes: readonly Route[];
  readonly admit: Admit;
  /** Leases the live generation, if there is one, for the duration of a request: it stays open until the release. */
  readonly acquire: () => Lease<Generation> | undefined;
  readonly respond: Respond;
  readonly send: Send;
  /** Answers a request with the error that was thrown. */
  readonly fail: Fail;
  readonly cors: Cors;
}

/** Sends the error answer for something that was thrown. */
export type Fail = (error: unknown, request: Request, response: Response) => void;

const NO_PARAMETERS: QueryParameters = {};

/**
 * Handles everything at one path: its routes, HEAD for GET, OPTIONS, and 405 for other methods. It is a single handler
 * because each further one would cost every request a step of the router. Errors bypass the router, too.
 */
export function createEndpoint(deps: EndpointDeps): RequestHandler {
  const { path, routes, admit, acquire, respond, send, fail, cors } = deps;
  const byMethod = new Map<string, Route>(routes.map((route) => [route.method, route]));
  const get = byMethod.get('GET');
  if (get) byMethod.set('HEAD', get);
  const allow = [...byMethod.keys(), 'OPTIONS'].join(', ');
  const needsKey = routes.some(({ access }) => access === 'key');

  return (request, response) => {
    try {
      return handle(request, response)?.catch((error) => fail(error, request, response));
    } catch (error) {
      fail(error, request, response);
    }
  };

  function handle(request: Request, response: Response): void | Promise<void> {
    const state = response.locals.request;
    state.route = path;
    if (request.method === 'OPTIONS') return send(request, response, answerOptions(request));
    // Requests below /v1 have been admitted by now; this protects a route that needs a key but lies elsewhere.
    if (needsKey && !state.key) admit(request, state);
    const route = byMethod.get(request.method);
    if (!route) throw new ApiError('method_not_allowed', DETAILS.methodNotAllowed, { Allow: allow });
    if (!route.takesBody) return answer(route, request, response);
    // A client is not asked for a body that its headers alone refuse.
    if (isHeldBack(request)) requireJson(request);
    askForBody(request, response);
    return readJsonBody(request).then((body) => answer(route, request, response, body));
  }

  function answer(route: Route, request: Request, response: Response, body?: unknown): void | Promise<void> {
    // Nobody without a key may have thousands of parameters parsed, which takes 4 ms. Public routes have none.
    const query = route.access === 'key' ? parseQuery(request.url) : NO_PARAMETERS;
    const raw = { query, path: request.params, body };
    const state = response.locals.request;
    // Leased only now, so that a client that sends its body slowly does not keep a generation open.
    state.lease = acquire();
    state.beganAtMs = performance.now();
    const made = respond(route, raw, state);
    if (!(made instanceof Promise)) return send(request, response, made);
    return made.then((finished) => send(request, response, finished));
  }

  function answerOptions({ headers }: Request): Answer {
    return { status: 204, cacheControl: 'no-store', headers: { Allow: allow, ...cors.preflight(headers, allow) } };
  }
}
