import type { CallFailure } from '../../outbound/call-error.js';
import { type GeocoderName, GeocoderUnavailableError } from '../geocoder.js';

/** An upstream geocoder's failure. It has no cause, as {@link CallError} has none. */
export class UpstreamError extends GeocoderUnavailableError {
  override readonly name = 'UpstreamError';

  constructor(
    readonly geocoder: GeocoderName,
    readonly reason: CallFailure,
  ) {
    super(`the ${geocoder} geocoder failed: ${reason}`);
  }
}

/** What is wrong is the address that was asked for: the geocoder itself is well. */
const REFUSED: ReadonlySet<CallFailure> = new Set(['status-400', 'status-414', 'status-422']);

export const isRefusal = ({ reason }: { readonly reason: CallFailure }): boolean => REFUSED.has(reason);
