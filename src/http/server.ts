import { createServer, IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Request } from 'express';
import { checkingInterval, closeGracefully, type ListenAddress, listenOn, urlOf } from '../platform/listening.js';
import { holdBack } from './input/held-back-bodies.js';
import { expectAnswer } from './pending-answers.js';
import { type OnRefused, refuse, refuseTarget, refuseTunnel } from './refusal.js';
import { writeInOnePiece } from './sending/one-piece.js';
import { hasUnreadBody } from './sending/unread-body.js';

/** A listening server. */
export interface HttpServer {
  /** `http://host:port`, with the actual port if 0 was configured. */
  readonly url: string;
  /**
   * Stops accepting connections, lets requests in flight finish, and closes the remaining connections after the timeout.
   * Resolves to whether all requests finished.
   */
  drain(timeoutMs: number): Promise<boolean>;
}

export interface ListenOptions extends ListenAddress {
  /** Called with the answer to each request that could not be read. */
  readonly onRefused: OnRefused;
  /** Milliseconds that a client may take to send its headers; 15,000 by default. */
  readonly headersTimeoutMs?: number;
  /** Milliseconds that a client may take to send its whole request; 30,000 by default. */
  readonly requestTimeoutMs?: number;
}

/** Longer than the 60 s after which common load balancers close an idle connection, so that they close it first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
export const HEADERS_TIMEOUT_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 30_000;
export const HEADERS_MAX_BYTES = 16 * 1024;

/** Serves the application. Rejects with the system's error if it cannot listen on the address. */
export async function listen(app: Express, options: ListenOptions): Promise<HttpServer> {
  const { host, onRefused } = options;
  const { headersTimeoutMs = HEADERS_TIMEOUT_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const limits = {
    maxHeaderSize: HEADERS_MAX_BYTES,
    requireHostHeader: false,
    connectionsCheckingInterval: checkingInterval(headersTimeoutMs),
  };
  const answer = (request: Request, response: ServerResponse): void => {
    if (!expectAnswer(response)) return;
    if (isTarget(request)) app(request, response);
    else refuseTarget(response, onRefused);
  };
  const server = createServer({ ...constructorsOf(app), ...limits }, answer);
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  // Node would drop headers beyond a maximum count, perhaps the key; their total size is limited anyway.
  server.maxHeadersCount = 0;
  server.on('connection', writeInOnePiece);
  // Node itself would ask for every body at once: also for one that is refused, and in the middle of its answer if those
  // before are not sent.
  server.on('checkContinue', (request, response) => {
    // Some clients expect it although they have no body. They need no answer to that (RFC 9110, 10.1.1).
    if (hasUnreadBody(request)) holdBack(request);
    // Node would close the connection behind each answer before which no body was asked for, though all of it has come, and
    // lose the next request. If not all of it has, the answer itself says that the connection ends.
    Object.assign(response, { _expect_continue: false });
    answer(request, response);
  });
  // Node itself would answer an unknown `Expect` with a 417 that has no body.
  server.on('checkExpectation', answer);
  server.on('clientError', (error, socket) => refuse(error, socket, onRefused));
  server.on('connect', (request, socket) => {
    // Writing to a client that is gone must not throw.
    socket.on('error', () => {});
    refuseTunnel(request, socket, onRefused);
  });
  await listenOn(server, options);
  return { url: urlOf(server, 'http', host), drain: (timeoutMs) => closeGracefully(server, timeoutMs) };
}

const ABSOLUTE = /^https?:\/\//i;

/**
 * Whether a request's target is `/path`, `*`, or in the absolute form that proxies get, `http://host/path`. Express would
 * answer requests with other targets itself, not in the contract's shape: it finds no path in `foo://host` and `//a@host#`.
 */
function isTarget(request: Request): boolean {
  const { url } = request;
  if (url === '*') return true;
  return (url.startsWith('/') || (ABSOLUTE.test(url) && URL.canParse(url))) && hasPath(request);
}

/** Asks Express itself, whose parser reads some targets unlike others do, and throws for some. */
function hasPath(request: Request): boolean {
  try {
    const path: string | null = request.path;
    return path?.startsWith('/') ?? false;
  } catch {
    return false;
  }
}

/**
 * Constructors whose prototypes are Express's own. Express sets these prototypes on every request and response. If objects
 * are constructed with them, setting them changes nothing and V8's inline caches stay warm: about four times the throughput
 * of `app.listen`.
 */
function constructorsOf(app: Express): {
  IncomingMessage: typeof IncomingMessage & (new (socket: Socket) => Request);
  ServerResponse: typeof ServerResponse;
} {
  function ExpressRequest(this: IncomingMessage, socket: Socket): void {
    IncomingMessage.call(this, socket);
  }
  function ExpressResponse(
    this: ServerResponse & { locals: object },
    request: IncomingMessage,
    options: ServerOptions,
  ): void {
    // Node passes options that are missing from its type declarations.
    Reflect.apply(ServerResponse, this, [request, options]);
    // Express would create an object without prototype, which V8 stores in slow dictionary mode.
    this.locals = { request: undefined };
  }
  // V8 also reserves space in an object for the fields that its constructor's ancestors set. Without these lines each
  // request and response would grow field by field, which takes longer than everything else that this service does with it.
  Object.setPrototypeOf(ExpressRequest, IncomingMessage);
  Object.setPrototypeOf(ExpressResponse, ServerResponse);
  ExpressRequest.prototype = app.request;
  ExpressResponse.prototype = app.response;
  // A class's `prototype` is read-only, so these are constructor functions, which TypeScript does not accept as classes.
  return {
    IncomingMessage: ExpressRequest as unknown as typeof IncomingMessage & (new (socket: Socket) => Request),
    ServerResponse: ExpressResponse as unknown as typeof ServerResponse,
  };
}
