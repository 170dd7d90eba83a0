import Papa from 'papaparse';
import { z } from 'zod';
import type { GeocodeResult } from '../geocoder.js';
import type { AddressParts } from './split-address.js';

/** An address with the id that its row of the answer carries. */
export interface BatchRow extends AddressParts {
  readonly id: number;
}

/** The file that the batch endpoint takes: id, street, city, state, ZIP; no header. */
export function addressFile(rows: readonly BatchRow[]): Blob {
  const lines = rows.map(({ id, street, city, state, zip }) => [id, street, city, state, zip]);
  return new Blob([Papa.unparse(lines, { newline: '\r\n' })], { type: 'text/csv' });
}

const rowNumber = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number);
/** `"-77.03535,38.898754"`: longitude first. */
const position = z
  .string()
  .transform((text) => text.split(',').map(Number))
  .pipe(z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]));
const matchRow = z
  .tuple(
    [rowNumber, z.string(), z.literal('Match'), z.enum(['Exact', 'Non_Exact']), z.string().min(1).max(500), position],
    z.string(),
  )
  .transform(([id, , , , matchedAddress, [lng, lat]]): [number, GeocodeResult] => [
    id,
    { lat, lng, matchedAddress, matchType: 'interpolated' },
  ]);
const otherRow = z
  .tuple([rowNumber, z.string(), z.enum(['No_Match', 'Tie'])], z.string())
  .transform(([id, , status]): [number, GeocodeResult] => [id, { noMatch: status === 'Tie' ? 'tie' : 'no match' }]);
const answerRow = z.union([matchRow, otherRow]);

/** The answer file's result for each row, by id; rows come in any order. Undefined if no row can be read. */
export function readBatchAnswer(body: string): Map<number, GeocodeResult> | undefined {
  const { data } = Papa.parse<string[]>(body, { skipEmptyLines: true });
  const results = new Map<number, GeocodeResult>();
  for (const row of data) {
    const entry = answerRow.safeParse(row).data;
    if (entry) results.set(...entry);
  }
  return results.size > 0 ? results : undefined;
}
