import { type GeocoderName, GeocoderUnavailableError } from '../geocoder.js';

/** Why an upstream geocoder gave no usable answer. A closed list, so that no message can carry a piece of an address. */
export type UpstreamFailure =
  | 'busy'
  | 'cooling-down'
  | 'timeout'
  | 'unreachable'
  | `status-${number}`
  | 'too-large'
  | 'html'
  | 'unexpected-answer';

/** An upstream geocoder's failure. It has no cause: what fetch throws can quote the URL, and with it the address. */
export class UpstreamError extends GeocoderUnavailableError {
  override readonly name = 'UpstreamError';

  constructor(
    readonly geocoder: GeocoderName,
    readonly reason: UpstreamFailure,
    /** How long the geocoder asked to be left alone. */
    readonly restMs?: number,
  ) {
    super(`the ${geocoder} geocoder failed: ${reason}`);
  }
}

/** Failures that may be gone a moment later. */
const PASSING: ReadonlySet<UpstreamFailure> = new Set([
  'unreachable',
  'status-408',
  'status-429',
  'status-500',
  'status-502',
  'status-503',
  'status-504',
]);
/** What is wrong is the address that was asked for: the geocoder itself is well. */
const REFUSED: ReadonlySet<UpstreamFailure> = new Set(['status-400', 'status-414', 'status-422']);

/** A rest that the geocoder asked for is waited for, a cool-down of our own is not. */
export const mayPass = ({ reason, restMs }: UpstreamError): boolean =>
  PASSING.has(reason) || (reason === 'cooling-down' && restMs !== undefined);
export const isRefusal = ({ reason }: UpstreamError): boolean => REFUSED.has(reason);
