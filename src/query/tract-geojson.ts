import { type LatLng, UNITS_PER_DEGREE } from '../core/coordinates.js';
import type { TractsFile } from '../format/tracts-file.js';
import { type Allocate, allocateAlone } from './body-writer.js';
import { flatProperties } from './flat-properties.js';
import { neighbours } from './nearby.js';
import { ByteWriter } from './outline/byte-writer.js';
import type { Ring } from './outline/ring.js';
import { findJunctions, type Outlines } from './outline/shared-borders.js';
import { simplifyRing } from './outline/simplify-ring.js';
import { writeGeometry } from './outline/write-geometry.js';

/** The tracts of a state, given by its two-digit FIPS code, or those with the internal point within a radius. */
export type TractSelection = { readonly stateFips: string } | { readonly center: LatLng; readonly radiusMiles: number };

/** Tract outlines for a map. */
export interface TractFeaturesQuery {
  readonly selection: TractSelection;
  /** The tolerance for simplified borders, in degrees; 0 leaves the outlines as they are. */
  readonly simplifyDegrees: number;
  readonly limit: number;
}

/** The parts of the tracts' file that map features need. */
export type MappedTracts = Pick<TractsFile, 'description' | 'lats' | 'lngs' | 'pointIndex' | 'records'>;

/**
 * The tracts as a GeoJSON FeatureCollection (RFC 7946), UTF-8, in GEOID order; with `"truncated": true` if the limit cuts
 * it short. Each feature has the tract's record as flat properties and its outline as geometry, null if there is none.
 */
export function tractFeatures(
  tracts: MappedTracts,
  outlines: Outlines,
  query: TractFeaturesQuery,
  allocate: Allocate = allocateAlone,
): Uint8Array {
  const selected = selectRows(tracts, query.selection);
  const rows = selected.slice(0, query.limit);
  const options = { simplifyDegrees: query.simplifyDegrees, truncated: rows.length < selected.length };
  return featuresOfRows(tracts, outlines, rows, options, allocate);
}

/** The FeatureCollection of the given rows, in their order. */
export function featuresOfRows(
  tracts: Pick<TractsFile, 'records'>,
  outlines: Outlines,
  rows: readonly number[],
  { simplifyDegrees, truncated = false }: { readonly simplifyDegrees: number; readonly truncated?: boolean },
  allocate: Allocate = allocateAlone,
): Uint8Array {
  const thin = createThinning(outlines, rows, simplifyDegrees);
  const writer = new ByteWriter();
  writer.text('{"type":"FeatureCollection",');
  if (truncated) writer.text('"truncated":true,');
  writer.text('"features":[');
  rows.forEach((row, at) => {
    if (at > 0) writer.text(',');
    writeFeature(writer, tracts.records.text(row), outlines.rings(row), thin);
  });
  writer.text(']}');
  return writer.finish(allocate);
}

/** Rows ascend by GEOID, so ascending rows are in GEOID order. */
function selectRows(tracts: MappedTracts, selection: TractSelection): readonly number[] {
  const ascending = (a: number, b: number): number => a - b;
  if ('center' in selection) {
    const within = neighbours(tracts, selection.center, selection.radiusMiles);
    return within.map(({ row }) => row).sort(ascending);
  }
  const state = tracts.description.states.find(({ fips }) => fips === selection.stateFips);
  return Array.from({ length: state?.tractCount ?? 0 }, (_, at) => (state?.firstRow ?? 0) + at);
}

function createThinning(outlines: Outlines, rows: readonly number[], degrees: number): (ring: Ring) => Ring {
  if (degrees === 0) return (ring) => ring;
  const borders = findJunctions(outlines, rows);
  return (ring) => simplifyRing(ring, borders, degrees * UNITS_PER_DEGREE);
}

function writeFeature(writer: ByteWriter, record: string, rings: readonly Ring[], thin: (ring: Ring) => Ring): void {
  writer.text(`{"type":"Feature","properties":${flatProperties(record)},"geometry":`);
  writeGeometry(writer, rings, thin);
  writer.text('}');
}
