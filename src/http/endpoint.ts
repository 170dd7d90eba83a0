import type { Request, RequestHandler, Response } from 'express';
import type { Lease } from '../catalog/leases.js';
import type { Admit } from './access/admission.js';
import type { Answer } from './answer.js';
import { ApiError } from './errors.js';
import type { Generation } from './generation.js';
import { readJsonBody } from './input/body.js';
import { parseQuery } from './input/query-string.js';
import type { Respond } from './respond.js';
import type { Route } from './route.js';
import type { Cors } from './sending/cors.js';
import type { Send } from './sending/send.js';

export interface EndpointDeps {
  readonly path: string;
  /** Each with a method of its own. */
  readonly routes: readonly Route[];
  readonly admit: Admit;
  /** The live generation, for as long as a request reads it. */
  readonly acquire: () => Lease<Generation> | undefined;
  readonly respond: Respond;
  readonly send: Send;
  /** Answers what was thrown. */
  readonly fail: Fail;
  readonly cors: Cors;
}

/** Tells a client what became of its request instead of an answer. */
export type Fail = (error: unknown, request: Request, response: Response) => void;

/**
 * All that is behind one path: its routes, HEAD for GET, OPTIONS, and the refusal of other methods. One handler for all
 * of them: each further one would cost every request a turn of the router. Errors do not go through the router either.
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
    // All of /v1 is admitted before it comes here; a route with a key outside of it must not be open for that.
    if (needsKey && !state.key) admit(request, state);
    const route = byMethod.get(request.method);
    if (!route) throw new ApiError('method_not_allowed', 'Method Not Allowed', { Allow: allow });
    if (route.takesBody) return readJsonBody(request).then((body) => answer(route, request, response, body));
    return answer(route, request, response);
  }

  function answer(route: Route, request: Request, response: Response, body?: unknown): void | Promise<void> {
    const raw = { query: parseQuery(request.url), path: request.params, body };
    const state = response.locals.request;
    // Only now: a client that takes its time with a body keeps no generation open.
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
