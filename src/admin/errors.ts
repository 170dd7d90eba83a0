import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { CatalogError, type CatalogErrorCode } from '../catalog/directory/catalog-error.js';
import { KeyError, type KeyErrorCode } from '../keys/key-error.js';
import { StateError, type StateErrorCode } from '../state/state-error.js';
import { WebhookError, type WebhookErrorCode } from '../webhooks/admin/webhook-admin.js';
import { describeProblem } from './input-problems.js';

type Code = TRPCError['code'];

/** The reason for an error, for programs: more specific than tRPC's own codes. */
export type Reason = KeyErrorCode | CatalogErrorCode | WebhookErrorCode | StateErrorCode | 'invalid-input';

const BY_REASON: Readonly<Record<KeyErrorCode | CatalogErrorCode | WebhookErrorCode, Code>> = {
  'key-not-found': 'NOT_FOUND',
  'key-revoked': 'PRECONDITION_FAILED',
  'expiry-passed': 'BAD_REQUEST',
  'too-many-overlaps': 'CONFLICT',
  'nothing-published': 'PRECONDITION_FAILED',
  'unknown-generation': 'NOT_FOUND',
  damaged: 'UNPROCESSABLE_CONTENT',
  unreadable: 'PRECONDITION_FAILED',
  'unsupported-format': 'UNPROCESSABLE_CONTENT',
  'no-previous': 'PRECONDITION_FAILED',
  busy: 'CONFLICT',
  'not-writable': 'PRECONDITION_FAILED',
  'not-everywhere': 'SERVICE_UNAVAILABLE',
  stopped: 'SERVICE_UNAVAILABLE',
  'unknown-subscription': 'NOT_FOUND',
  'unknown-dead-letter': 'NOT_FOUND',
  limit: 'CONFLICT',
  silenced: 'PRECONDITION_FAILED',
  'program-replaced': 'PRECONDITION_FAILED',
};

/** The tRPC error for an error whose message maintainers may see; undefined for an unexpected error. */
export function toTrpcError(cause: unknown, call: 'query' | 'mutation' | 'subscription'): TRPCError | undefined {
  if (!isExpected(cause)) return undefined;
  if (!(cause instanceof StateError)) {
    return new TRPCError({ code: BY_REASON[cause.code], message: cause.message, cause });
  }
  const code = cause.code === 'disk-full' ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR';
  // Only what asks for a change has anything to store.
  const message = call === 'mutation' ? `the change was not stored: ${cause.message}` : cause.message;
  return new TRPCError({ code, message, cause });
}

/** The message and reason sent with an error's code. Unexpected errors reveal nothing; they are in the log. */
export function describeFailure(error: TRPCError): { message: string; reason: Reason | null } {
  const { cause, code, message } = error;
  if (isExpected(cause)) {
    return { message, reason: cause.code };
  }
  if (cause instanceof z.core.$ZodError && code === 'BAD_REQUEST') {
    return { message: sentenceOf(cause), reason: 'invalid-input' };
  }
  return { message: code === 'INTERNAL_SERVER_ERROR' ? 'Internal server error.' : message, reason: null };
}

function isExpected(cause: unknown): cause is KeyError | CatalogError | WebhookError | StateError {
  return [KeyError, CatalogError, WebhookError, StateError].some((kind) => cause instanceof kind);
}

function sentenceOf({ issues }: z.core.$ZodError): string {
  return issues.map((issue) => `${issue.path.join('.') || 'input'}: ${describeProblem(issue)}`).join('; ');
}
