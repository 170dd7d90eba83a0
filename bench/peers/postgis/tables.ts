import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { UNITS_PER_DEGREE } from '../../../src/core/coordinates.js';
import { geoidFromNumber } from '../../../src/core/geoid.js';
import { COMPARED_METRICS, metricIndex } from '../../../src/core/metrics.js';
import type { Dataset } from '../../../src/format/dataset.js';
import { polygonsOf } from '../polygon-index.js';
import { type Cluster, connectionOf } from './cluster.js';

const METRIC_COLUMNS = COMPARED_METRICS.map(({ key }) => `${key} float8`).join(', ');

/** Outlines and records have their own tables, so that a scan of the metrics reads nothing else. */
const SCHEMA = `
  CREATE EXTENSION postgis;
  CREATE UNLOGGED TABLE tracts (
    geoid text PRIMARY KEY, name text NOT NULL, state_fips text NOT NULL, county_fips text NOT NULL,
    point geography(Point, 4326) NOT NULL, ${METRIC_COLUMNS}
  );
  CREATE UNLOGGED TABLE records (geoid text PRIMARY KEY, record text NOT NULL);
  CREATE UNLOGGED TABLE outlines (geoid text NOT NULL, outline geometry(MultiPolygon, 4326) NOT NULL);`;

const INDEXES = `
  CREATE INDEX ON tracts USING gist (point);
  CREATE INDEX ON outlines USING gist (outline);
  CREATE INDEX ON tracts (state_fips);
  CREATE INDEX ON tracts (state_fips, county_fips);`;

/** Little-endian EWKB types with an SRID. */
const EWKB_MULTIPOLYGON = 0x20000006;
const EWKB_POLYGON = 3;
const WGS84 = 4326;
/** Characters of text that are collected before each write. */
const CHUNK_CHARACTERS = 4 * 1024 * 1024;

/** Loads a dataset's tracts into tables, and creates indexes and statistics. */
export async function loadTables(cluster: Cluster, dataset: Dataset): Promise<void> {
  const client = new pg.Client(connectionOf(cluster));
  await client.connect();
  try {
    await client.query(SCHEMA);
    for (const [table, line] of Object.entries(LINES)) {
      const file = join(cluster.directory, `${table}.csv`);
      writeLines(file, dataset, line);
      await client.query(`COPY ${table} FROM '${file}' (FORMAT csv)`);
    }
    await client.query(INDEXES);
    for (const table of Object.keys(LINES)) await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    await client.end();
  }
}

/** The CSV line of a row, by table; undefined if the table has none for it. */
const LINES: Readonly<Record<string, (dataset: Dataset, row: number) => string | undefined>> = {
  tracts: ({ tracts }, row) => {
    const geoid = geoidAt(tracts, row);
    const values = COMPARED_METRICS.map(({ path }) => {
      const value = tracts.values[metricIndex(path)]?.[row] ?? Number.NaN;
      return Number.isNaN(value) ? '' : String(value);
    });
    const point = `SRID=4326;POINT(${tracts.lngs[row]} ${tracts.lats[row]})`;
    return [geoid, quoted(tracts.names.text(row)), geoid.slice(0, 2), geoid.slice(2, 5), point, ...values].join();
  },
  records: ({ tracts }, row) => `${geoidAt(tracts, row)},${quoted(tracts.records.text(row))}`,
  outlines: ({ tracts, outlines }, row) => {
    const rings = outlines.rings(row);
    return rings.length === 0 ? undefined : `${geoidAt(tracts, row)},${multiPolygon(polygonsOf(rings))}`;
  },
};

function writeLines(file: string, dataset: Dataset, line: (dataset: Dataset, row: number) => string | undefined): void {
  const descriptor = openSync(file, 'w');
  let text = '';
  for (let row = 0; row < dataset.tracts.tractCount; row++) {
    const next = line(dataset, row);
    if (next !== undefined) text += `${next}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    writeSync(descriptor, text);
    text = '';
  }
  writeSync(descriptor, text);
  closeSync(descriptor);
}

/**
 * Encodes polygons, whose rings are in 1e-7 degrees, as hexadecimal EWKB (PostGIS manual, "OpenGIS WKB and WKT"; EWKB adds
 * the SRID).
 */
function multiPolygon(polygons: readonly (readonly Int32Array[])[]): string {
  const vertices = polygons.flat().reduce((sum, ring) => sum + ring.length / 2, 0);
  const rings = polygons.flat().length;
  const bytes = Buffer.alloc(13 + polygons.length * 9 + rings * 4 + vertices * 16);
  let at = 0;
  const start = (type: number): void => {
    at = bytes.writeUInt32LE(type, bytes.writeUInt8(1, at));
  };
  const count = (value: number): void => {
    at = bytes.writeUInt32LE(value, at);
  };
  start(EWKB_MULTIPOLYGON);
  count(WGS84);
  count(polygons.length);
  for (const polygon of polygons) {
    start(EWKB_POLYGON);
    count(polygon.length);
    for (const ring of polygon) {
      count(ring.length / 2);
      for (const unit of ring) at = bytes.writeDoubleLE(unit / UNITS_PER_DEGREE, at);
    }
  }
  return bytes.toString('hex');
}

const geoidAt = ({ geoids }: Dataset['tracts'], row: number): string => geoidFromNumber(geoids[row] ?? Number.NaN);
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
