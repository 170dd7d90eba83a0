import type { LatLng } from '../core/coordinates.js';
import type { Geoid } from '../core/geoid.js';
import type { ProviderFilter } from '../core/provider-types.js';
import type { Dataset } from '../format/dataset.js';
import type { Box, ProvidersFile } from '../format/providers-file.js';
import { pointsWithin } from './around/points-within.js';
import { CLOSING_BRACE, COMMA, createBodyWriter, OPENING_BRACE } from './body-writer.js';
import { hundredthsLength } from './hundredths.js';
import { findRow } from './rows.js';

/** What the searches need of a dataset. */
export type SearchableProviders = Pick<Dataset, 'providers'>;

interface Page {
  readonly type: ProviderFilter;
  readonly limit: number;
  readonly offset: number;
}

/** A page of the providers around a point. */
export interface ProvidersNearQuery extends Page {
  readonly center: LatLng;
  readonly radiusMiles: number;
}

/** A page of the providers in a tract. */
export interface ProvidersInTractQuery extends Page {
  readonly geoid: Geoid;
}

/** The providers in a rectangle; west is greater than east where it crosses the antimeridian. */
export interface ProvidersInBoxQuery extends Box {
  readonly type: ProviderFilter;
  readonly limit: number;
}

/**
 * The body of a provider search around a point (SPEC 4.11) as UTF-8 JSON: nearest first, ties by NPI. `total` counts all
 * within the radius, whatever the page.
 */
export function providersNear({ providers }: SearchableProviders, query: ProvidersNearQuery): Uint8Array {
  if (!providers) return listBody([], 0, query);
  const { lats, lngs } = providers;
  // Rows ascend by NPI.
  const { total, page } = pointsWithin({ lats, lngs, trees: providers.trees(query.type) }, query);
  const entries = page.map(({ row, hundredths }) => entry(providers, row, hundredths));
  return listBody(entries, total, query);
}

/** The body of a provider search in a tract (SPEC 4.11) as UTF-8 JSON, by NPI; empty where the tract is not loaded. */
export function providersInTract(
  { providers, tracts }: SearchableProviders & { readonly tracts: Pick<Dataset['tracts'], 'geoids'> },
  query: ProvidersInTractQuery,
): Uint8Array {
  const tractRow = findRow(tracts, query.geoid);
  if (!providers || tractRow < 0) return listBody([], 0, query);
  const rows = providers.rowsInTract(query.type, tractRow);
  const page = rows.slice(query.offset, query.offset + query.limit);
  return listBody(
    page.map((row) => entry(providers, row)),
    rows.length,
    query,
  );
}

/**
 * The GeoJSON of the providers in a rectangle (SPEC 4.10) as UTF-8, by NPI. Where there are more than the limit, those
 * with the least NPIs are given, and the collection says `"truncated": true`.
 */
export function providersInBox({ providers }: SearchableProviders, query: ProvidersInBoxQuery): Uint8Array {
  if (!providers) return collection([], false);
  // A typed array sorts by number.
  const rows = Uint32Array.from(providers.rowsWithin(query.type, query)).sort();
  const features = [...rows.subarray(0, query.limit)].map((row) => feature(providers, row));
  return collection(features, rows.length > query.limit);
}

function positionOf(providers: ProvidersFile, row: number): LatLng {
  return { lat: providers.lats[row] ?? Number.NaN, lng: providers.lngs[row] ?? Number.NaN };
}

/** A provider in a list: its members as the file holds them, and how far away it is, where there is a centre. */
interface Entry {
  readonly properties: Uint8Array;
  readonly details: Uint8Array;
  readonly hundredths: number | undefined;
}

function entry({ properties, details }: ProvidersFile, row: number, hundredths?: number): Entry {
  return { properties: properties.bytes(row), details: details.bytes(row), hundredths };
}

const [DISTANCE, NULL] = [Buffer.from(',"distance_miles":'), Buffer.from('null')];
/** Two braces and the comma between the members. */
const ENTRY_FRAME_LENGTH = DISTANCE.length + 3;
const LIST_END = ']}';

function listBody(entries: readonly Entry[], total: number, { offset, limit }: Page): Uint8Array {
  const head = `{"count":${entries.length},"total":${total},"offset":${offset},"limit":${limit},"providers":[`;
  let size = head.length + Math.max(0, entries.length - 1) + LIST_END.length;
  for (const { properties, details, hundredths } of entries) {
    const distanceLength = hundredths === undefined ? NULL.length : hundredthsLength(hundredths);
    size += properties.length + details.length + distanceLength + ENTRY_FRAME_LENGTH;
  }
  const body = createBodyWriter(size);
  body.ascii(head);
  entries.forEach(({ properties, details, hundredths }, at) => {
    if (at > 0) body.character(COMMA);
    body.character(OPENING_BRACE);
    body.bytes(properties);
    body.character(COMMA);
    body.bytes(details);
    body.bytes(DISTANCE);
    if (hundredths === undefined) body.bytes(NULL);
    else body.hundredths(hundredths);
    body.character(CLOSING_BRACE);
  });
  body.ascii(LIST_END);
  return body.finish();
}

function feature(providers: ProvidersFile, row: number): Piece[] {
  const { lat, lng } = positionOf(providers, row);
  const head = `{"type":"Feature","geometry":{"type":"Point","coordinates":[${lng},${lat}]},"properties":{`;
  return [head, providers.properties.bytes(row), '}}'];
}

function collection(features: readonly Piece[][], truncated: boolean): Uint8Array {
  const tail = truncated ? '],"truncated":true}' : ']}';
  return joinPieces(['{"type":"FeatureCollection","features":[', ...withCommas(features), tail]);
}

function withCommas(items: readonly Piece[][]): Piece[] {
  return items.flatMap((item, index) => (index === 0 ? item : [',', ...item]));
}

/** Bytes as they are, or text of ASCII characters only. */
type Piece = Uint8Array | string;

/** One array over a buffer of its own, so that a thread can hand it to another without a copy. */
function joinPieces(pieces: readonly Piece[]): Uint8Array {
  const body = Buffer.from(new ArrayBuffer(pieces.reduce((sum, piece) => sum + piece.length, 0)));
  let end = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') body.write(piece, end, 'latin1');
    else body.set(piece, end);
    end += piece.length;
  }
  return body;
}
