import { createServer, IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { closeGracefully, type ListenAddress, listenOn, urlOf } from '../platform/listening.js';
import { refuse, refuseTunnel } from './refusal.js';

/** A listening server. */
export interface HttpServer {
  /** `http://host:port` with the port that was really taken. */
  readonly url: string;
  /**
   * Takes no new connection, lets requests in flight finish, and ends what is left after the timeout.
   * Gives whether all were finished.
   */
  drain(timeoutMs: number): Promise<boolean>;
}

export interface ListenOptions extends ListenAddress {
  /** Told of each request that could not be read, by the status that it was answered with. */
  readonly onRefused: (status: number) => void;
  /** Milliseconds that a client may take for its headers; 15,000 unless told. */
  readonly headersTimeoutMs?: number;
  /** Milliseconds that a client may take for its request in all; 30,000 unless told. */
  readonly requestTimeoutMs?: number;
}

/** Longer than the 60 s for which common load balancers keep an idle connection, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
const TIMEOUT_CHECK_MS = 5_000;
const HEADERS_MAX_BYTES = 16 * 1024;

/** Serves the application. Rejects with what the system says where the address cannot be listened on. */
export async function listen(app: Express, options: ListenOptions): Promise<HttpServer> {
  const { host, onRefused } = options;
  const { headersTimeoutMs = HEADERS_TIMEOUT_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const limits = {
    maxHeaderSize: HEADERS_MAX_BYTES,
    requireHostHeader: false,
    // Node looks for clients that take too long only now and then: every half minute unless told.
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, headersTimeoutMs),
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (isTarget(request.url)) {
      app(request, response);
      return;
    }
    const status = refuse(new Error('no target'), request.socket);
    if (status !== undefined) onRefused(status);
  };
  const server = createServer({ ...constructorsOf(app), ...limits }, answer);
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  // Node would leave out what is behind so many, a key perhaps; their bytes are limited as it is.
  server.maxHeadersCount = 0;
  // Node would refuse these itself, with an empty body.
  server.on('checkExpectation', answer);
  server.on('clientError', (error, socket) => {
    const status = refuse(error, socket);
    if (status !== undefined) onRefused(status);
  });
  server.on('connect', (_request, socket) => {
    // The client may be gone.
    socket.on('error', () => {});
    onRefused(refuseTunnel(socket));
  });
  await listenOn(server, options);
  return { url: urlOf(server, 'http', host), drain: (timeoutMs) => closeGracefully(server, timeoutMs) };
}

/**
 * Whether a request's target is `/path`, `*`, or what proxies are asked: `http://host/path`. To others Express would
 * answer itself.
 */
function isTarget(url = ''): boolean {
  return url.startsWith('/') || url === '*' || URL.canParse(url);
}

/**
 * Constructors whose prototypes are Express's own. Express sets the prototype of every request and response to these;
 * on objects that have it from birth that changes nothing, and V8's inline caches stay warm: about four times the
 * throughput of `app.listen`.
 */
function constructorsOf(app: Express): {
  IncomingMessage: typeof IncomingMessage;
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
    // Node passes options that its types do not tell of.
    Reflect.apply(ServerResponse, this, [request, options]);
    // Express would make an object without prototype, which V8 keeps as a slow dictionary.
    this.locals = { request: undefined };
  }
  // V8 makes room in an object for what its constructor's ancestors set, too: without these lines each request and
  // response would grow piece by piece, which takes longer than all else that is done with it here.
  Object.setPrototypeOf(ExpressRequest, IncomingMessage);
  Object.setPrototypeOf(ExpressResponse, ServerResponse);
  ExpressRequest.prototype = app.request;
  ExpressResponse.prototype = app.response;
  // Plain functions are constructors too, and a class's prototype could not be set; TypeScript knows only classes.
  return {
    IncomingMessage: ExpressRequest as unknown as typeof IncomingMessage,
    ServerResponse: ExpressResponse as unknown as typeof ServerResponse,
  };
}
