import type { Actor } from '../audit/audit-log.js';
import type { EventName, SubscriptionFilters } from './subscription.js';

/** What a maintainer does with webhook subscriptions. Results are plain data, fit for JSON; times are ISO 8601 in UTC. */
export interface WebhookAdmin {
  /** All subscriptions by id, or those of one owner: the id of an API key. */
  list(options?: { readonly owner?: string | undefined }): Promise<WebhookSummary[]>;
  /** What was tried lately and what was given up, for one subscription. Throws {@link WebhookError}. */
  attempts(id: number): Promise<WebhookAttempts>;
  /**
   * Puts dead letters back, to be sent before anything else, in their order and with their old `webhook-id`: the one named,
   * or all of the subscription's. A paused subscription gets them when it is resumed. Throws {@link WebhookError}.
   */
  replay(id: number, options: ReplayOptions): Promise<{ readonly replayed: number }>;
  /** Sends a `ping` event at once, in one attempt, to a paused subscription, too. Throws {@link WebhookError}. */
  test(id: number): Promise<WebhookTestResult>;
  /** Nothing is sent until it is resumed; what happens meanwhile waits. Throws {@link WebhookError}. */
  pause(id: number, actor: Actor): Promise<WebhookSummary>;
  /**
   * Goes on where the subscription was paused, or ends its rest after failures. Throws {@link WebhookError}: `limit`
   * where its key has ten active ones.
   */
  resume(id: number, actor: Actor): Promise<WebhookSummary>;
  /** For good, whatever its key is; gives it as it was. Throws {@link WebhookError}. */
  remove(id: number, actor: Actor): Promise<WebhookSummary>;
  /**
   * How many events a change from one generation to another would send, by subscription; `from` is null for a first load.
   * Both generations must be on disk. Subscriptions that would get none are left out, and those of keys that are lost.
   */
  preview(from: string | null, to: string): Promise<WebhookPreview[]>;
}

export interface ReplayOptions {
  readonly actor: Actor;
  /** All of them where it is left out. */
  readonly deadLetter?: number | undefined;
}

/** `paused`: by a maintainer, or by the service after failures. `silenced`: its key opens nothing any more. */
export type WebhookState = 'active' | 'paused' | 'silenced';

export interface WebhookSummary {
  readonly id: number;
  /** The id of the API key that made it. */
  readonly owner: string;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly filters: SubscriptionFilters;
  readonly hasSecret: boolean;
  readonly createdAt: string;
  readonly state: WebhookState;
  /** Why the service paused it; null where it did not. */
  readonly pausedBecause: PauseReason | null;
  /** While it is left alone after failures: the moment of its next attempt. */
  readonly restsUntil: string | null;
  /** Null before the first one. */
  readonly lastSuccessAt: string | null;
  readonly lastAttemptAt: string | null;
  /** Events that were given up, one after the other, since the last that arrived. */
  readonly failuresInARow: number;
  /** Events that arrived. */
  readonly delivered: number;
  /** Attempts that failed and were followed by another one. */
  readonly retried: number;
  /** Events that were given up. */
  readonly failed: number;
  /** Given up and kept, to be replayed. */
  readonly deadLetters: number;
  /** Updates of the data that it has not heard of in full. */
  readonly waitingUpdates: number;
  /** Changed tracts of these that are still to be looked at; null before that began. */
  readonly waitingTracts: number | null;
  /** How long the oldest of them has been waiting; 0 where none is. */
  readonly lagSeconds: number;
}

/** `failures`: too many events in a row did not arrive. `dead-letters`: as many as are kept are waiting. */
export const PAUSE_REASONS = ['failures', 'dead-letters'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export interface WebhookAttempts {
  /** The newest first. All failures are among them, of what arrived only a sample. */
  readonly recent: readonly WebhookAttempt[];
  /** In their order. */
  readonly deadLetters: readonly WebhookDeadLetter[];
}

/**
 * How an attempt failed. `status`: an answer other than 2xx. `dns`: the host's name leads nowhere. `certificate`: the
 * host's is not trusted, not in time, or another one's. `refused`: the URL leads to an address inside, or is not https
 * where that is asked for. `secret`: the one in store cannot be opened with the key in use.
 */
export const DELIVERY_FAILURES = ['status', 'timeout', 'network', 'dns', 'certificate', 'refused', 'secret'] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

export interface WebhookAttempt {
  readonly at: string;
  readonly webhookId: string;
  readonly event: EventName;
  readonly geoid: string;
  /** 1 to 3. */
  readonly attempt: number;
  /** The HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** Null where it arrived. */
  readonly failure: DeliveryFailure | null;
  readonly durationMs: number;
}

export interface WebhookDeadLetter {
  readonly id: number;
  readonly webhookId: string;
  readonly event: EventName;
  readonly geoid: string;
  readonly failedAt: string;
  readonly status: number | null;
  readonly failure: DeliveryFailure;
  /** It is to be sent again. */
  readonly replaying: boolean;
}

export interface WebhookTestResult {
  readonly arrived: boolean;
  readonly webhookId: string;
  readonly status: number | null;
  readonly failure: DeliveryFailure | null;
  readonly durationMs: number;
}

export interface WebhookPreview {
  readonly id: number;
  readonly owner: string;
  /** Of one that is not active the events wait until it is. */
  readonly state: WebhookState;
  readonly events: Readonly<Record<EventName, number>>;
}

export type WebhookErrorCode =
  /** There is no subscription of that id. */
  | 'unknown-subscription'
  /** The subscription has no dead letter of that id. */
  | 'unknown-dead-letter'
  /** The key has as many active subscriptions as it may. */
  | 'limit'
  /** The key that owns it opens nothing any more. */
  | 'silenced';

/** Why nothing was done. The message is for maintainers and holds no URL. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';

  constructor(
    readonly code: WebhookErrorCode,
    message: string,
  ) {
    super(message);
  }
}
