/** A position in degrees, longitude first as in shapefiles. */
export type LngLat = readonly [lng: number, lat: number];

/** The columns of a .dbf file, all of them text: widths by name. */
export type DbfColumns = Readonly<Record<string, number>>;

export const GEOGRAPHIC_PRJ =
  'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],' +
  'PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

export const PROJECTED_PRJ = `PROJCS["NAD_1983_Contiguous_USA_Albers",${GEOGRAPHIC_PRJ},PROJECTION["Albers"],UNIT["Meter",1.0]]`;

const POLYGON = 5;
const POLYGON_Z = 15;

/** A .shp file of polygons, one record each; null makes a record without a shape. `z` writes PolygonZ with heights of 0. */
export function shpFile(records: readonly (readonly (readonly LngLat[])[] | null)[], z = false): Buffer {
  return shpFileOf(
    z ? POLYGON_Z : POLYGON,
    records.map((rings) => (rings ? polygon(rings, z) : null)),
  );
}

/** A .shp file of shapes of one type, one record each; null makes a record without a shape. */
export function shpFileOf(type: number, contents: readonly (Buffer | null)[]): Buffer {
  const parts = contents.flatMap((shape, index) => {
    const content = shape ?? Buffer.alloc(4);
    const head = Buffer.alloc(8);
    head.writeInt32BE(index + 1, 0);
    head.writeInt32BE(content.length / 2, 4);
    return [head, content];
  });
  const header = Buffer.alloc(100);
  header.writeInt32BE(9994, 0);
  header.writeInt32BE((100 + parts.reduce((sum, part) => sum + part.length, 0)) / 2, 24);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(type, 32);
  return Buffer.concat([header, ...parts]);
}

function polygon(rings: readonly (readonly LngLat[])[], z: boolean): Buffer {
  const points = rings.flat();
  const heights = z ? 16 + points.length * 8 : 0;
  const content = Buffer.alloc(44 + rings.length * 4 + points.length * 16 + heights);
  content.writeInt32LE(z ? POLYGON_Z : POLYGON, 0);
  const lngs = points.map(([lng]) => lng);
  const lats = points.map(([, lat]) => lat);
  [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)].forEach((value, index) => {
    content.writeDoubleLE(value, 4 + index * 8);
  });
  content.writeInt32LE(rings.length, 36);
  content.writeInt32LE(points.length, 40);
  let first = 0;
  rings.forEach((ring, index) => {
    content.writeInt32LE(first, 44 + index * 4);
    first += ring.length;
  });
  points.forEach(([lng, lat], index) => {
    content.writeDoubleLE(lng, 44 + rings.length * 4 + index * 16);
    content.writeDoubleLE(lat, 44 + rings.length * 4 + index * 16 + 8);
  });
  return content;
}

/** A dBASE III table of text columns. Rows whose indexes are in `deleted` are marked as deleted. */
export function dbfFile(
  columns: DbfColumns,
  rows: readonly Readonly<Record<string, string | number>>[],
  deleted: readonly number[] = [],
): Buffer {
  const fields = Object.entries(columns);
  const rowBytes = 1 + fields.reduce((sum, [, width]) => sum + width, 0);
  const header = Buffer.alloc(32 + fields.length * 32 + 1);
  header.writeUInt8(3, 0);
  header.writeUInt32LE(rows.length, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(rowBytes, 10);
  fields.forEach(([name, width], index) => {
    header.write(name, 32 + index * 32, 'latin1');
    header.write('C', 32 + index * 32 + 11, 'latin1');
    header.writeUInt8(width, 32 + index * 32 + 16);
  });
  header.writeUInt8(0x0d, header.length - 1);
  const body = rows.map((row, index) => {
    const cells = fields.map(([name, width]) => String(row[name] ?? '').padEnd(width));
    return Buffer.from((deleted.includes(index) ? '*' : ' ') + cells.join(''));
  });
  return Buffer.concat([header, ...body, Buffer.from([0x1a])]);
}
