import type { DescribedError } from '../../log.js';
import type { OutboundPolicy } from '../../outbound/outbound-policy.js';

/** The settings of the delivery process, as data that a structured clone can take there. */
export interface DispatcherSetup {
  readonly stateDir: string;
  readonly datasetsDir: string;
  /** Opens the subscribers' secrets; undefined if the key is missing. */
  readonly secretKey: Uint8Array | undefined;
  /** Ids of the keys that the configuration names. */
  readonly configuredOwners: readonly string[];
  readonly policy: OutboundPolicy;
  readonly userAgent: string;
}

/** The messages to the delivery process; the first one is `start`. It replies to `ping` at once, with `pong`. */
export type DispatcherOrder =
  | { readonly start: DispatcherSetup }
  | 'nudge'
  | 'ping'
  | { readonly stopWithinMs: number };

/** The messages of the delivery process. */
export type DispatcherMessage = DispatcherReport | 'pong';

/** The delivery process's messages for the log; they carry no URL and no secret. */
export type DispatcherReport =
  | { readonly kind: 'abandoned'; readonly subscription: number; readonly reason: string }
  | ({ readonly kind: 'lane-failed'; readonly subscription: number } & DescribedError)
  | ({ readonly kind: 'disk-full' } & DescribedError)
  | ({ readonly kind: 'failed' } & DescribedError);
