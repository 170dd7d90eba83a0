import type { LatLng, LatLngBox } from '../core/coordinates.js';
import type { Geoid } from '../core/geoid.js';
import { CLOSING_BRACE, COMMA, OPENING_BRACE } from '../core/json-characters.js';
import type { ProviderFilter } from '../core/provider-types.js';
import { targetOf } from '../format/copy-text.js';
import type { Dataset } from '../format/dataset.js';
import type { ProvidersFile } from '../format/providers-file.js';
import type { ProviderFeatures } from '../format/providers-file-records.js';
import { type IndexedPoints, pointsWithin } from './around/points-within.js';
import { firstRowsInBox } from './around/rows-in-box.js';
import { type Allocate, allocateAlone, createBodyWriter } from './body-writer.js';
import { hundredthsLength } from './hundredths.js';
import { findRow } from './rows.js';

/** The part of a dataset that the searches need. */
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

/** The providers in a rectangle, which crosses the antimeridian if west is greater than east. */
export interface ProvidersInBoxQuery extends LatLngBox {
  readonly type: ProviderFilter;
  readonly limit: number;
}

/**
 * The body of a provider search around a point (SPEC 4.11) as UTF-8 JSON: nearest first, ties by NPI. `total` counts all
 * providers within the radius, regardless of the page.
 */
export function providersNear(
  { providers }: SearchableProviders,
  query: ProvidersNearQuery,
  allocate: Allocate = allocateAlone,
): Uint8Array {
  if (!providers) return listBody([], 0, query, allocate);
  // Since rows are in NPI order, ties by row are ties by NPI.
  const { total, page } = pointsWithin(indexedPoints(providers, query.type), query);
  const entries = page.map(({ row, hundredths }) => ({ members: providers.records.entry(row), hundredths }));
  return listBody(entries, total, query, allocate);
}

/** The body of a provider search in a tract (SPEC 4.11) as UTF-8 JSON, by NPI; empty if the tract is not loaded. */
export function providersInTract(
  { providers, tracts }: SearchableProviders & { readonly tracts: Pick<Dataset['tracts'], 'geoids'> },
  query: ProvidersInTractQuery,
  allocate: Allocate = allocateAlone,
): Uint8Array {
  const tractRow = findRow(tracts, query.geoid);
  if (!providers || tractRow < 0) return listBody([], 0, query, allocate);
  const rows = providers.rowsInTract(query.type, tractRow);
  const entries = rows
    .slice(query.offset, query.offset + query.limit)
    .map((row) => ({ members: providers.records.entry(row), hundredths: undefined }));
  return listBody(entries, rows.length, query, allocate);
}

/**
 * The GeoJSON of the providers in a rectangle (SPEC 4.10) as UTF-8, by NPI. If there are more than the limit, it contains
 * those with the least NPIs, and the collection says `"truncated": true`.
 */
export function providersInBox(
  { providers }: SearchableProviders,
  query: ProvidersInBoxQuery,
  allocate: Allocate = allocateAlone,
): Uint8Array {
  if (!providers) return collection(NO_FEATURES, false, allocate);
  const found = firstRowsInBox(indexedPoints(providers, query.type), query, query.limit);
  return collection(providers.records.features(found), found.truncated, allocate);
}

function indexedPoints(providers: ProvidersFile, filter: ProviderFilter): IndexedPoints {
  const { lats, lngs } = providers;
  return { lats, lngs, trees: providers.trees(filter) };
}

/** A provider in a list: its members as stored in the file, and its distance if the search has a center. */
interface Entry {
  readonly members: readonly Uint8Array[];
  readonly hundredths: number | undefined;
}

const [DISTANCE, NULL] = [Buffer.from(',"distance_miles":'), Buffer.from('null')];
/** Two braces and the name of the distance, which an entry has in addition to its members. */
const ENTRY_FRAME_LENGTH = DISTANCE.length + 2;
const LIST_END = ']}';

function listBody(entries: readonly Entry[], total: number, { offset, limit }: Page, allocate: Allocate): Uint8Array {
  const head = `{"count":${entries.length},"total":${total},"offset":${offset},"limit":${limit},"providers":[`;
  let size = head.length + Math.max(0, entries.length - 1) + LIST_END.length;
  for (const { members, hundredths } of entries) {
    for (const part of members) size += part.length;
    size += ENTRY_FRAME_LENGTH + (hundredths === undefined ? NULL.length : hundredthsLength(hundredths));
  }
  const body = createBodyWriter(size, allocate);
  body.ascii(head);
  entries.forEach(({ members, hundredths }, at) => {
    if (at > 0) body.character(COMMA);
    body.character(OPENING_BRACE);
    for (const part of members) body.bytes(part);
    body.bytes(DISTANCE);
    if (hundredths === undefined) body.bytes(NULL);
    else body.hundredths(hundredths);
    body.character(CLOSING_BRACE);
  });
  body.ascii(LIST_END);
  return body.finish();
}

const COLLECTION_HEAD = Buffer.from('{"type":"FeatureCollection","features":[');
const COLLECTION_END = Buffer.from(']}');
const TRUNCATED_END = Buffer.from('],"truncated":true}');

const NO_FEATURES: ProviderFeatures = { sizeBytes: 0, copyTo: () => {} };

function collection(features: ProviderFeatures, truncated: boolean, allocate: Allocate): Uint8Array {
  const tail = truncated ? TRUNCATED_END : COLLECTION_END;
  const featuresEnd = COLLECTION_HEAD.length + features.sizeBytes;
  // The tail overwrites the comma after the last feature.
  const tailAt = features.sizeBytes > 0 ? featuresEnd - 1 : featuresEnd;
  const body = allocate(tailAt + tail.length);
  body.set(COLLECTION_HEAD);
  features.copyTo(targetOf(body), COLLECTION_HEAD.length);
  body.set(tail, tailAt);
  return body;
}
