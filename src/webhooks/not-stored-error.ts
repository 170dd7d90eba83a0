/** A change was not stored because the disk is full; it may succeed later. The message is not meant for clients. */
export class NotStoredError extends Error {
  override readonly name = 'NotStoredError';
}
