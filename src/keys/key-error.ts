export type KeyErrorCode = 'key-not-found' | 'key-revoked' | 'expiry-passed' | 'too-many-overlaps';

/** An operation on a key that cannot be carried out. The message contains nothing secret. */
export class KeyError extends Error {
  override readonly name = 'KeyError';

  constructor(
    readonly code: KeyErrorCode,
    message: string,
  ) {
    super(message);
  }
}
