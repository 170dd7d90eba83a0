import { initTRPC } from '@trpc/server';
import type { Actor } from '../audit/audit-log.js';
import { describeFailure, toTrpcError } from './errors.js';

/** What a procedure knows about its caller. */
export interface AdminContext {
  readonly actor: Actor;
}

const trpc = initTRPC.context<AdminContext>().create({
  // The default follows NODE_ENV, and could show stack traces.
  isDev: false,
  errorFormatter: ({ shape, error }) => {
    const { message, reason } = describeFailure(error);
    return { ...shape, message, data: { ...shape.data, reason } };
  },
});

export const { router } = trpc;

/** A procedure whose expected errors become tRPC errors with a matching code. */
export const procedure = trpc.procedure.use(async ({ next, type }) => {
  const result = await next();
  const expected = result.ok ? undefined : toTrpcError(result.error.cause, type);
  if (expected) throw expected;
  return result;
});
