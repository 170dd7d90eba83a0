import type { LatLng } from '../core/coordinates.js';

/** A location as an answer shows it (SPEC 2.1). */
export interface MatchedLocation extends LatLng {
  readonly matchedAddress: string;
}

const RECORD_KEY = ',"tract":';
const NO_NARRATIVE = Buffer.from(',"narrative":null}');

/** The body of a context answer (SPEC 4.1) as UTF-8 JSON, around the tract's record (UTF-8 JSON) as the file holds it. */
export function contextBody(location: MatchedLocation, record: Uint8Array, narrative: string | null): Buffer {
  const head = `{"location":${locationJson(location)}${RECORD_KEY}`;
  const tail = narrative === null ? NO_NARRATIVE : Buffer.from(`,"narrative":${JSON.stringify(narrative)}}`);
  const headBytes = Buffer.byteLength(head);
  const body = Buffer.allocUnsafe(headBytes + record.byteLength + tail.byteLength);
  body.write(head, 0, 'utf8');
  body.set(record, headBytes);
  body.set(tail, headBytes + record.byteLength);
  return body;
}

/** What became of one address of a batch. */
export type BatchOutcome =
  | { readonly address: string; readonly location: MatchedLocation /** JSON. */; readonly record: string }
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
  // A finite number's text is its JSON; only the address can hold what must be escaped.
  return `{"lat":${lat},"lng":${lng},"matched_address":${JSON.stringify(matchedAddress)}}`;
}
