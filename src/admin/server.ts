import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { closeGracefully, type ListenSettings, listenOn, urlOf } from '../platform/listening.js';
import type { AdminDeps } from './deps.js';
import { createGate, type Refusal } from './gate.js';
import { createTokenCheck, tokenFingerprint } from './token.js';

/** What is allowed of one request. Most procedures take a few hundred bytes. */
const BODY_MAX_BYTES = 64 * 1024;
const BATCH_MAX_CALLS = 20;
const MAX_CONNECTIONS = 100;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

export interface AdminServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** What people set these two by, for errors. */
  readonly settings?: ListenSettings;
  readonly token: string;
  /** Certificate and key, PEM; without them the plane speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Names beside loopback ones and IP addresses that clients may reach the plane by. */
  readonly hostNames: readonly string[];
  readonly events: AdminEvents;
}

/** What happens on the plane, for the log. */
export interface AdminEvents {
  /** A request that was not let in. */
  refused(status: number, address: string): void;
  /** An error that nobody expected. */
  failed(procedure: string, error: unknown): void;
}

/** The listening plane. */
export interface AdminServer {
  readonly url: string;
  /** Takes nothing new and waits for what is under way, up to the timeout. */
  close(timeoutMs: number): Promise<void>;
}

/** Serves the procedures. Rejects with what the system says where the address cannot be listened on. */
export async function listenAdmin(deps: AdminDeps, options: AdminServerOptions): Promise<AdminServer> {
  const { host, port, settings, tls, events } = options;
  const listener = createListener(deps, options);
  const limits = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    // A request without a Host is refused as one with a wrong one is: after its token was looked at.
    requireHostHeader: false,
  };
  // Node's TLS takes a while to load.
  const server = tls
    ? (await import('node:https')).createServer({ ...limits, ...tls }, listener)
    : createServer(limits, listener);
  server.maxConnections = MAX_CONNECTIONS;
  // Node would refuse these itself, with or without a token.
  server.on('checkExpectation', listener);
  await listenOn(server, { host, port, settings, onAcceptError: (error) => events.failed('accept', error) });
  return {
    url: urlOf(server, tls ? 'https' : 'http', host),
    close: async (timeoutMs) => {
      await closeGracefully(server, timeoutMs);
    },
  };
}

function createListener(deps: AdminDeps, { token, hostNames, events }: AdminServerOptions): RequestListener {
  const gate = createGate({ hasToken: createTokenCheck(token), hostNames, bodyMaxBytes: BODY_MAX_BYTES });
  let handler: Promise<RequestListener> | undefined;
  // Loaded by the first who comes with the token: a service that nobody administers has no use for tRPC.
  const loadHandler = async (): Promise<RequestListener> => {
    const { createHandler } = await import('./handler.js');
    const limits = { bodyMaxBytes: BODY_MAX_BYTES, batchMaxCalls: BATCH_MAX_CALLS };
    return createHandler(deps, { ...limits, tokenFingerprint: tokenFingerprint(token), failed: events.failed });
  };
  return (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const refusal = gate(request);
    if (refusal) {
      events.refused(refusal.status, request.socket.remoteAddress ?? '');
      return refuse(request, response, refusal);
    }
    handler ??= loadHandler();
    handler.then(
      (handle) => handle(request, response),
      (error: unknown) => {
        handler = undefined;
        events.failed('loading', error);
        response.destroy();
      },
    );
  };
}

/** JSON-RPC's codes, as tRPC numbers its own. */
const CODES = {
  401: { code: 'UNAUTHORIZED', number: -32_001 },
  403: { code: 'FORBIDDEN', number: -32_003 },
  404: { code: 'NOT_FOUND', number: -32_004 },
  405: { code: 'METHOD_NOT_SUPPORTED', number: -32_005 },
  413: { code: 'PAYLOAD_TOO_LARGE', number: -32_013 },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', number: -32_015 },
} as const;

/** Answers in tRPC's own shape, so that its clients tell the message. */
function refuse(request: IncomingMessage, response: ServerResponse, { status, message }: Refusal): void {
  const { code, number } = CODES[status];
  const data = { code, httpStatus: status, reason: null };
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  // The body is not read.
  response.setHeader('Connection', 'close');
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (status === 405) response.setHeader('Allow', 'GET, POST');
  response.end(JSON.stringify({ error: { message, code: number, data } }));
  request.resume();
}
