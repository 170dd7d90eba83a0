import type { IncomingMessage, RequestListener } from 'node:http';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import type { Actor } from '../audit/audit-log.js';
import { StateError } from '../state/state-error.js';
import { isCallerName } from './caller-name.js';
import type { AdminDeps } from './deps.js';
import { createAdminRouter } from './router.js';

export interface HandlerOptions {
  readonly bodyMaxBytes: number;
  readonly batchMaxCalls: number;
  /** Identifies the token in the audit log. */
  readonly tokenFingerprint: string;
  /** Called for unexpected errors. */
  readonly failed: (procedure: string, error: unknown) => void;
  /** Called for changes that the state's disk has no space for. */
  readonly diskFull: (procedure: string, reason: string) => void;
}

/** Handles requests that the gate has let in. */
export function createHandler(deps: AdminDeps, options: HandlerOptions): RequestListener {
  const { bodyMaxBytes, batchMaxCalls, tokenFingerprint, failed, diskFull } = options;
  return createHTTPHandler({
    router: createAdminRouter(deps),
    createContext: ({ req }) => ({ actor: actorOf(req, tokenFingerprint) }),
    maxBodySize: bodyMaxBytes,
    maxBatchSize: batchMaxCalls,
    onError: ({ error, path = 'unknown' }) => {
      const { cause } = error;
      if (error.code === 'INTERNAL_SERVER_ERROR') failed(path, cause ?? error);
      else if (cause instanceof StateError && cause.code === 'disk-full') diskFull(path, cause.message);
    },
  });
}

function actorOf({ headers, socket }: IncomingMessage, token: string): Actor {
  const name = headers['x-admin-user'];
  return {
    name: typeof name === 'string' && isCallerName(name) ? name : null,
    address: socket.remoteAddress ?? '',
    token,
  };
}
