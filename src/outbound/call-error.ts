/**
 * Why another service gave no usable answer. A closed list, so that no message can carry a piece of an address, a key
 * or an answer.
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

/** A failed call to another service. It has no cause: what fetch throws can quote a URL or a header. */
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
