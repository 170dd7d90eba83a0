import { type ByteText, joinByteTexts, toByteText } from '../core/byte-text.js';
import type { LatLng } from '../core/coordinates.js';
import { decimal } from '../core/decimal.js';

/** A location as an answer shows it (SPEC 2.1). */
export interface MatchedLocation extends LatLng {
  readonly matchedAddress: string;
}

const NO_NARRATIVE = toByteText(',"narrative":null}');

/** The body of a context answer (SPEC 4.1), which contains the tract's record as stored in the file. */
export function contextBody(location: MatchedLocation, record: ByteText, narrative: string | null): ByteText {
  const head = toByteText(`{"location":${locationJson(location)},"tract":`);
  const tail = narrative === null ? NO_NARRATIVE : toByteText(`,"narrative":${JSON.stringify(narrative)}}`);
  return joinByteTexts(head, record, tail);
}

/** The outcome for one address of a batch. */
export type BatchOutcome =
  | {
      readonly address: string;
      readonly location: MatchedLocation;
      /** The tract's record as JSON. */
      readonly record: string;
    }
  | { readonly address: string; readonly location: MatchedLocation | null; readonly error: string };

/** The body of a batch answer (SPEC 4.2) as JSON, in the order of the outcomes. */
export function batchBody(outcomes: readonly BatchOutcome[]): string {
  const succeeded = outcomes.filter((outcome) => 'record' in outcome).length;
  const results = outcomes.map((outcome) => {
    const { address, location } = outcome;
    const [status, tract, error] =
      'record' in outcome ? ['ok', outcome.record, null] : ['error', 'null', outcome.error];
    const place = location ? locationJson(location) : 'null';
    return `{"address":${JSON.stringify(address)},"status":"${status}","location":${place},"tract":${tract},"error":${JSON.stringify(error)}}`;
  });
  const counts = `"total":${outcomes.length},"succeeded":${succeeded},"failed":${outcomes.length - succeeded}`;
  return `{${counts},"results":[${results.join()}]}`;
}

function locationJson({ lat, lng, matchedAddress }: MatchedLocation): string {
  return `{"lat":${decimal(lat)},"lng":${decimal(lng)},"matched_address":${JSON.stringify(matchedAddress)}}`;
}
