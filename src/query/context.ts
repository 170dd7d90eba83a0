import type { LatLng } from '../core/coordinates.js';
import type { Dataset } from '../format/dataset.js';

/** A location as an answer shows it (SPEC 2.1). */
export interface MatchedLocation extends LatLng {
  readonly matchedAddress: string;
}

const RECORD_KEY = ',"tract":';
const NARRATIVE = ',"narrative":null}';

/**
 * The body of a context answer (SPEC 4.1) as UTF-8 JSON, around the tract's record as it lies in the file; undefined
 * where no tract holds the point.
 */
export function contextBody(dataset: Dataset, location: MatchedLocation): Buffer | undefined {
  const row = dataset.outlines.locate(location);
  if (row < 0) return undefined;
  const record = dataset.tracts.records.bytes(row);
  const { lat, lng, matchedAddress } = location;
  const head = `{"location":${JSON.stringify({ lat, lng, matched_address: matchedAddress })}${RECORD_KEY}`;
  const headBytes = Buffer.byteLength(head);
  const body = Buffer.allocUnsafe(headBytes + record.byteLength + NARRATIVE.length);
  body.write(head, 0, 'utf8');
  body.set(record, headBytes);
  body.write(NARRATIVE, headBytes + record.byteLength, 'latin1');
  return body;
}
