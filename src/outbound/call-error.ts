/**
 * Why another service gave no usable response. A closed list, so that no message can contain parts of an address, a key or
 * a response.
 */
export type CallFailure =
  | 'busy'
  | 'cooling-down'
  | 'timeout'
  | 'unreachable'
  | `status-${number}`
  | 'html'
  | 'too-large'
  | 'not-json'
  | 'unexpected-answer'
  | 'no-text'
  | 'too-long';

/** A failed call to another service. It has no `cause`, because errors of fetch can quote a URL or a header. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(
    readonly reason: CallFailure,
    /** How long the service asked to be left alone. */
    readonly restMs?: number,
  ) {
    super(`the call failed: ${reason}`);
  }
}
