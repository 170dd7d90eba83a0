import { type LatLng, UNITS_PER_DEGREE } from '../core/coordinates.js';
import type { TractsFile } from '../format/tracts-file.js';
import { type Allocate, allocateAlone } from './body-writer.js';
import { ByteWriter } from './byte-writer.js';
import { flatProperties } from './flat-properties.js';
import { tractsWithin } from './nearby.js';
import type { Ring } from './outline/ring.js';
import { findJunctions, type Outlines } from './outline/shared-borders.js';
import { simplifyRing } from './outline/simplify-ring.js';
import { writeGeometry } from './outline/write-geometry.js';

/** The tracts of a state, given by its two-digit FIPS code, or those whose internal point lies within a radius. */
export type TractSelection = { readonly stateFips: string } | { readonly center: LatLng; readonly radiusMiles: number };

/** Tract outlines for a map. */
export interface TractFeaturesQuery {
  readonly selection: TractSelection;
  /** The tolerance for simplified borders, in degrees; 0 leaves the outlines as they are. */
  readonly simplifyDegrees: number;
  /** The most tracts: of a state the first by GEOID, of a circle the nearest. */
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
  const { rows, total } = selectRows(tracts, query);
  const options = { simplifyDegrees: query.simplifyDegrees, truncated: rows.length < total };
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

/** The rows to give, in GEOID order, and how many there would be without the limit. */
interface Selected {
  readonly rows: readonly number[];
  readonly total: number;
}

/** Rows ascend by GEOID, so ascending rows are in GEOID order. */
function selectRows(tracts: MappedTracts, { selection, limit }: TractFeaturesQuery): Selected {
  if ('center' in selection) {
    const { page, total } = tractsWithin(tracts, { ...selection, limit, offset: 0 });
    return { rows: page.map(({ row }) => row).sort((a, b) => a - b), total };
  }
  const state = tracts.description.states.find(({ fips }) => fips === selection.stateFips);
  const { firstRow = 0, tractCount: total = 0 } = state ?? {};
  return { rows: Array.from({ length: Math.min(total, limit) }, (_, at) => firstRow + at), total };
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
