import { z } from 'zod';
import { EVENTS } from './subscription.js';

/**
 * How an attempt failed. `status`: a response other than 2xx. `dns`: the host name does not resolve. `unreachable`: no route
 * leads to the host. `port-closed`: nothing listens at the port. `reset`: the connection ended before a response. `tls`: the
 * host does not speak TLS, or none that both know. `certificate`: the host's is untrusted, expired or not yet valid, or for
 * another name. `network`: any other failure of the connection. `refused`: the URL leads to a non-public address, or is not
 * https where https is required. `secret`: the stored secret cannot be opened with the key in use. Stored: words may be added,
 * but none may be removed.
 */
export const DELIVERY_FAILURES = [
  'status',
  'timeout',
  'network',
  'dns',
  'unreachable',
  'port-closed',
  'reset',
  'tls',
  'certificate',
  'refused',
  'secret',
] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/** The outcome of an attempt. */
export type Outcome = Arrived | Failed;

/** The receiver answered with a 2xx. */
export interface Arrived {
  readonly status: number;
  readonly failure: null;
  readonly durationMs: number;
}

export type Failed = { readonly durationMs: number } & (
  | { readonly status: number; readonly failure: 'status' }
  | { readonly status: null; readonly failure: NoResponse }
);

/** Why an attempt got no response. */
export type NoResponse = Exclude<DeliveryFailure, 'status'>;

const time = z.iso.datetime({ offset: true });
const failure = z.enum(DELIVERY_FAILURES);
/** The HTTP status; null if there was no response. */
const status = z.int().nullable();

/** An attempt to deliver an event, as it is stored and as maintainers see it. */
export const attemptSchema = z.object({
  at: time,
  webhookId: z.string(),
  event: z.enum(EVENTS),
  geoid: z.string(),
  /** 1 to 3. */
  attempt: z.int().positive(),
  status,
  /** Null if the event arrived. */
  failure: failure.nullable(),
  durationMs: z.number().min(0),
});
export type Attempt = z.output<typeof attemptSchema>;

/** An event that was given up, as it is stored. */
export const deadLetterSchema = z.object({
  webhookId: z.string(),
  event: z.enum(EVENTS),
  geoid: z.string(),
  /** The body as it was sent, so that it can be sent again long after its generations are gone. */
  body: z.string(),
  failedAt: time,
  status,
  failure,
});
export type DeadLetter = z.output<typeof deadLetterSchema>;
