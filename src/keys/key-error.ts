export type KeyErrorCode = 'key-not-found' | 'key-revoked' | 'expiry-passed' | 'too-many-overlaps';

/** A change to a key that cannot be made. The message holds nothing secret. */
export class KeyError extends Error {
  override readonly name = 'KeyError';

  constructor(
    readonly code: KeyErrorCode,
    message: string,
  ) {
    super(message);
  }
}
