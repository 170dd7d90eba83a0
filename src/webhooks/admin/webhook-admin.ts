import type { Actor } from '../../audit/audit-log.js';
import type { Attempt, DeadLetter, DeliveryFailure } from '../attempt.js';
import type { PauseReason } from '../delivery-records.js';
import type { EventName, SubscriptionFilters } from '../subscription.js';

/** A maintainer's operations on webhook subscriptions. Results are plain JSON data; times are ISO 8601 in UTC. */
export interface WebhookAdmin {
  /** All subscriptions by ascending id, or those of one owner, which is the id of an API key. */
  list(options?: { readonly owner?: string | undefined }): Promise<WebhookSummary[]>;
  /** The recent attempts and the dead letters of one subscription. Throws {@link WebhookError}. */
  attempts(id: number): Promise<WebhookAttempts>;
  /**
   * Queues dead letters to be sent again: the one named, or all of the subscription's. They go before any other event, in
   * their order and with their old `webhook-id`. A paused subscription gets them once resumed. Throws {@link WebhookError}:
   * `silenced` if its key is revoked.
   */
  replay(id: number, options: ReplayOptions): Promise<{ readonly replayed: number }>;
  /** Sends a `ping` event at once, in a single attempt, even if the subscription is paused. Throws {@link WebhookError}. */
  test(id: number): Promise<WebhookTestResult>;
  /** Holds back all events until the subscription is resumed; none is lost. Throws {@link WebhookError}. */
  pause(id: number, actor: Actor): Promise<WebhookSummary>;
  /**
   * Continues where the subscription was paused, or ends its rest after failures. Throws {@link WebhookError}: `limit`
   * if its key already has ten active subscriptions.
   */
  resume(id: number, actor: Actor): Promise<WebhookSummary>;
  /** Removes the subscription for good, whatever its key's status; returns it as it was. Throws {@link WebhookError}. */
  remove(id: number, actor: Actor): Promise<WebhookSummary>;
  /**
   * How many events a change from one generation to another would send to each subscription; `from` is null for a first
   * load. Leaves out subscriptions that would get none, and those of revoked keys. Throws CatalogError if a generation cannot
   * be read.
   */
  preview(from: string | null, to: string): Promise<WebhookPreview[]>;
}

export interface ReplayOptions {
  readonly actor: Actor;
  /** Left out: all dead letters of the subscription. */
  readonly deadLetter?: number | undefined;
}

/** `paused`: by a maintainer, or by the service after failures. `silenced`: its key does not open the service now. */
export const WEBHOOK_STATES = ['active', 'paused', 'silenced'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

export interface WebhookSummary {
  readonly id: number;
  /** The id of the API key that created it. */
  readonly owner: string;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly filters: SubscriptionFilters;
  readonly hasSecret: boolean;
  readonly createdAt: string;
  readonly state: WebhookState;
  /** Why the service paused it; null if the service did not. */
  readonly pausedBecause: PauseReason | null;
  /** When the next attempt is due while it rests after failures; null if it does not rest. */
  readonly restsUntil: string | null;
  /** Null before the first success. */
  readonly lastSuccessAt: string | null;
  readonly lastAttemptAt: string | null;
  /** Events given up since the last one that arrived. */
  readonly failuresInARow: number;
  /** Events that arrived. */
  readonly delivered: number;
  /** Attempts that failed and were followed by another one. */
  readonly retried: number;
  /** Events that were given up. */
  readonly failed: number;
  /** Events that were given up and are kept for replay. */
  readonly deadLetters: number;
  /** Changes of the live generation whose events have not all been delivered. */
  readonly waitingUpdates: number;
  /** Changed tracts still to be processed for these updates; null if any update has not been started. */
  readonly waitingTracts: number | null;
  /** Age of the oldest waiting update; 0 if none waits. */
  readonly lagSeconds: number;
}

export interface WebhookAttempts {
  /** The last 20, newest first: every failed attempt, but of the successful ones only one a second. */
  readonly recent: readonly WebhookAttempt[];
  /** By ascending number. */
  readonly deadLetters: readonly WebhookDeadLetter[];
}

export type WebhookAttempt = Readonly<Attempt>;

/** A stored dead letter without its body. */
export interface WebhookDeadLetter extends Readonly<Omit<DeadLetter, 'body'>> {
  readonly id: number;
  /** Whether it is queued to be sent again. */
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
  /** If not `active`, the events wait until it is. */
  readonly state: WebhookState;
  readonly events: Readonly<Record<EventName, number>>;
}

export type WebhookErrorCode =
  /** There is no subscription with that id. */
  | 'unknown-subscription'
  /** The subscription has no dead letter with that id. */
  | 'unknown-dead-letter'
  /** The key already has the maximum number of active subscriptions. */
  | 'limit'
  /** The key that owns it does not open the service now. */
  | 'silenced'
  /** The service cannot load what sends a test, because its program's files are not there any more. */
  | 'program-replaced';

/** An operation that was refused. The message is for maintainers and contains no URL. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';

  constructor(
    readonly code: WebhookErrorCode,
    message: string,
  ) {
    super(message);
  }
}
