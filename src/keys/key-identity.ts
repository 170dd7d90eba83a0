/** Who is asking, as logs and limits may know it. */
export interface KeyIdentity {
  /**
   * 16 hexadecimal digits that tell keys apart and own what keys own. They cannot be turned back into a key or its
   * digest.
   */
  readonly id: string;
  /** Requests a window, where it is not the service's own number; 0 for any number. */
  readonly rateLimitMax?: number;
  /** What the key is limited to; undefined for all there is. */
  readonly scopes?: ReadonlySet<string>;
}
