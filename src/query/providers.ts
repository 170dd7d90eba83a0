import { distanceMiles, type LatLng, roundTo } from '../core/coordinates.js';
import type { Geoid } from '../core/geoid.js';
import type { ProviderFilter } from '../core/provider-types.js';
import type { Dataset } from '../format/dataset.js';
import type { Box, ProvidersFile } from '../format/providers-file.js';
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
 * within the radius, whatever the page. O(k log k) for k providers within.
 */
export function providersNear({ providers }: SearchableProviders, query: ProvidersNearQuery): Uint8Array {
  if (!providers) return listBody([], 0, query);
  const { center, radiusMiles, type } = query;
  const found = providers
    .rowsAround(type, center, radiusMiles)
    .map((row) => ({ row, miles: distanceMiles(center, positionOf(providers, row)) }))
    .filter(({ miles }) => miles <= radiusMiles)
    // Rows ascend by NPI.
    .sort((a, b) => a.miles - b.miles || a.row - b.row);
  const page = found.slice(query.offset, query.offset + query.limit);
  const entries = page.map(({ row, miles }) => entry(providers, row, String(roundTo(miles, 2))));
  return listBody(entries, found.length, query);
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
    page.map((row) => entry(providers, row, 'null')),
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

function entry(providers: ProvidersFile, row: number, distance: string): Piece[] {
  const { properties, details } = providers;
  return ['{', properties.bytes(row), ',', details.bytes(row), `,"distance_miles":${distance}}`];
}

function listBody(entries: readonly Piece[][], total: number, { offset, limit }: Page): Uint8Array {
  const head = `{"count":${entries.length},"total":${total},"offset":${offset},"limit":${limit},"providers":[`;
  return joinPieces([head, ...withCommas(entries), ']}']);
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
