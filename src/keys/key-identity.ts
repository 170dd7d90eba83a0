/** A caller's identity, as logs and rate limits may see it. */
export interface KeyIdentity {
  /**
   * 16 hexadecimal digits that identify the key, and own whatever the key owns, such as subscriptions. Neither the key nor
   * its digest can be derived from them.
   */
  readonly id: string;
  /** Requests per window, if other than the service's default; 0 for no limit. */
  readonly rateLimitMax?: number;
  /** The scopes that the key is limited to; undefined for all. */
  readonly scopes?: ReadonlySet<string>;
}
