import type { CallFailure } from '../../outbound/call-error.js';
import { type GeocoderName, GeocoderUnavailableError } from '../geocoder.js';

/** An upstream geocoder's failure. Like CallError, it has no cause. */
export class UpstreamError extends GeocoderUnavailableError {
  override readonly name = 'UpstreamError';

  constructor(
    readonly geocoder: GeocoderName,
    readonly reason: CallFailure,
  ) {
    super(`the ${geocoder} geocoder failed: ${reason}`);
  }
}

/** Failures that are the fault of the address asked for, not of the geocoder. */
const REFUSED: ReadonlySet<CallFailure> = new Set(['status-400', 'status-414', 'status-422']);

export const isRefusal = ({ reason }: { readonly reason: CallFailure }): boolean => REFUSED.has(reason);

/** Whether an upstream geocoder refused the address that it was asked for. */
export const isRefused = (error: unknown): boolean => error instanceof UpstreamError && isRefusal(error);
