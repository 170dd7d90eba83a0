import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { checkingInterval, closeGracefully, type ListenSettings, listenOn, urlOf } from '../platform/listening.js';
import type { AdminDeps } from './deps.js';
import { createGate, type Refusal } from './gate.js';
import { createHandler } from './handler.js';
import { boundStrangers, type Strangers } from './strangers.js';
import { createTokenCheck, tokenFingerprint } from './token.js';

/** The limits for one request. Most procedures take a few hundred bytes. */
const BODY_MAX_BYTES = 64 * 1024;
const BATCH_MAX_CALLS = 20;
const MAX_CONNECTIONS = 200;
/** Of those, the most over which the token has not been presented. */
const MAX_STRANGERS = 100;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** A certificate, followed by those between it and its authority's where there are some, and its key, in PEM. */
export interface AdminCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface AdminServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The names of the settings for host and port, for error messages. */
  readonly settings?: ListenSettings;
  readonly token: string;
  /** Without it the plane speaks plain HTTP. */
  readonly tls?: AdminCertificate;
  /** Host names by which clients may reach the plane, besides loopback names and IP addresses. */
  readonly hostNames: readonly string[];
  readonly events: AdminEvents;
  /** Milliseconds that a client may take for its TLS handshake, and then for its headers; 10,000 by default. */
  readonly headersTimeoutMs?: number;
}

/** Events of the plane, for the log. */
export interface AdminEvents {
  /** A request that was not let in. */
  refused(status: number, address: string): void;
  /** An unexpected error. */
  failed(procedure: string, error: unknown): void;
  /** A change that was refused because the state's disk is full. */
  diskFull(procedure: string, reason: string): void;
}

/** The listening plane. */
export interface AdminServer {
  readonly url: string;
  /** Shows connections from now on another certificate. Does nothing if the plane speaks plain HTTP. */
  takeCertificate(certificate: AdminCertificate): void;
  /** Accepts no new connection and lets requests in flight finish, up to the timeout. */
  close(timeoutMs: number): Promise<void>;
}

/** Serves the procedures. Rejects with the system's error if it cannot listen on the address. */
export async function listenAdmin(deps: AdminDeps, options: AdminServerOptions): Promise<AdminServer> {
  const { host, port, settings, tls, events, headersTimeoutMs = HEADERS_TIMEOUT_MS } = options;
  let strangers: Strangers | undefined;
  const listener = createListener(deps, options, (socket) => strangers?.vouchFor(socket));
  const limits = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: headersTimeoutMs,
    // Node would look for clients that take too long every 30 s, and give them 120 s for a handshake: as few as the plane
    // accepts could then keep its operator out, without the token.
    connectionsCheckingInterval: checkingInterval(headersTimeoutMs),
    // The gate refuses a missing Host like a wrong one, after checking the token; Node would refuse it before.
    requireHostHeader: false,
  };
  // Imported only if needed: Node's TLS takes a while to load.
  const secure =
    tls &&
    (await import('node:https')).createServer({ ...limits, ...tls, handshakeTimeout: headersTimeoutMs }, listener);
  const server = secure ?? createServer(limits, listener);
  server.maxConnections = MAX_CONNECTIONS;
  strangers = boundStrangers(server, MAX_STRANGERS);
  // Without this listener, Node would itself refuse unknown expectations, with or without a token.
  server.on('checkExpectation', listener);
  await listenOn(server, { host, port, settings, onAcceptError: (error) => events.failed('accept', error) });
  return {
    url: urlOf(server, tls ? 'https' : 'http', host),
    takeCertificate: (certificate) => secure?.setSecureContext({ ...certificate }),
    close: async (timeoutMs) => {
      await closeGracefully(server, timeoutMs);
    },
  };
}

function createListener(
  deps: AdminDeps,
  { token, hostNames, events }: AdminServerOptions,
  onToken: (socket: Socket) => void,
): RequestListener {
  const gate = createGate({ hasToken: createTokenCheck(token), hostNames, bodyMaxBytes: BODY_MAX_BYTES });
  // Not loaded on demand: if Node fails to load a module for want of a file descriptor, it never loads it again.
  const handle = createHandler(deps, {
    bodyMaxBytes: BODY_MAX_BYTES,
    batchMaxCalls: BATCH_MAX_CALLS,
    tokenFingerprint: tokenFingerprint(token),
    failed: events.failed,
    diskFull: events.diskFull,
  });
  return (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const refusal = gate(request);
    if (refusal) {
      events.refused(refusal.status, request.socket.remoteAddress ?? '');
      return refuse(request, response, refusal);
    }
    onToken(request.socket);
    handle(request, response);
  };
}

/** tRPC's error codes and their JSON-RPC numbers, by HTTP status. */
const CODES = {
  401: { code: 'UNAUTHORIZED', number: -32_001 },
  403: { code: 'FORBIDDEN', number: -32_003 },
  404: { code: 'NOT_FOUND', number: -32_004 },
  405: { code: 'METHOD_NOT_SUPPORTED', number: -32_005 },
  413: { code: 'PAYLOAD_TOO_LARGE', number: -32_013 },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', number: -32_015 },
} as const;

/** Responds in tRPC's error format, so that its clients show the message. */
function refuse(request: IncomingMessage, response: ServerResponse, { status, message }: Refusal): void {
  const { code, number } = CODES[status];
  const data = { code, httpStatus: status, reason: null };
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  // The body is discarded.
  response.setHeader('Connection', 'close');
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (status === 405) response.setHeader('Allow', 'GET, POST');
  response.end(JSON.stringify({ error: { message, code: number, data } }));
  request.resume();
}
