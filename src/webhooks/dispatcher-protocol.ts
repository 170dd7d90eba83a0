import type { DescribedError } from '../log.js';

/** What the process that delivers is made of: plain data. */
export interface DispatcherSetup {
  readonly stateDir: string;
  readonly datasetsDir: string;
  /** Opens the subscribers' secrets; undefined where it is missing. */
  readonly secretKey: Uint8Array | undefined;
  /** Ids of the keys that the configuration names. */
  readonly configuredOwners: readonly string[];
  readonly policy: { readonly httpsOnly: boolean; readonly allowedHosts: readonly string[] };
  readonly userAgent: string;
}

/** What it is told, first of all to start. */
export type DispatcherOrder = { readonly start: DispatcherSetup } | 'nudge' | { readonly stopWithinMs: number };

/** What it tells, for the log: no URL, no secret. */
export type DispatcherReport =
  | { readonly kind: 'abandoned'; readonly subscription: number; readonly reason: string }
  | ({ readonly kind: 'lane-failed'; readonly subscription: number } & DescribedError)
  | ({ readonly kind: 'failed' } & DescribedError);
