import type { InputTree } from './official-files.js';
import { type DbfColumns, dbfFile, GEOGRAPHIC_PRJ, type LngLat, shpFileOf } from './shapefile-writer.js';

const POLYLINE = 3;

/** A .shp file of lines, one record each; null makes a record without a shape. */
function lineShpFile(records: readonly (readonly LngLat[] | null)[]): Buffer {
  return shpFileOf(
    POLYLINE,
    records.map((line) => (line ? polyline(line) : null)),
  );
}

function polyline(points: readonly LngLat[]): Buffer {
  const content = Buffer.alloc(48 + points.length * 16);
  content.writeInt32LE(POLYLINE, 0);
  content.writeInt32LE(1, 36);
  content.writeInt32LE(points.length, 40);
  points.forEach(([lng, lat], index) => {
    content.writeDoubleLE(lng, 48 + index * 16);
    content.writeDoubleLE(lat, 56 + index * 16);
  });
  return content;
}

/** The columns of TIGER/Line's ADDRFEAT. */
const ADDRFEAT_COLUMNS: DbfColumns = {
  TLID: 10,
  TFIDL: 10,
  TFIDR: 10,
  ARIDL: 22,
  ARIDR: 22,
  LINEARID: 22,
  FULLNAME: 100,
  LFROMHN: 12,
  LTOHN: 12,
  RFROMHN: 12,
  RTOHN: 12,
  ZIPL: 5,
  ZIPR: 5,
  EDGE_MTFCC: 5,
  ROAD_MTFCC: 5,
  PARITYL: 1,
  PARITYR: 1,
  PLUS4L: 4,
  PLUS4R: 4,
  LFROMTYP: 1,
  LTOTYP: 1,
  RFROMTYP: 1,
  RTOTYP: 1,
  OFFSETL: 1,
  OFFSETR: 1,
};

/** The columns of TIGER/Line's EDGES. */
export const EDGES_COLUMNS: DbfColumns = {
  STATEFP: 2,
  COUNTYFP: 3,
  TLID: 10,
  TFIDL: 10,
  TFIDR: 10,
  MTFCC: 5,
  FULLNAME: 100,
  SMID: 22,
  LFROMADD: 12,
  LTOADD: 12,
  RFROMADD: 12,
  RTOADD: 12,
  ZIPL: 5,
  ZIPR: 5,
  FEATCAT: 1,
  HYDROFLG: 1,
  RAILFLG: 1,
  ROADFLG: 1,
  OLFFLG: 1,
  PASSFLG: 1,
  EXTTYP: 1,
  TTYP: 1,
  DECKEDROAD: 1,
  ARTPATH: 1,
  PERSIST: 1,
  GCSEFLG: 1,
  OFFSETL: 1,
  OFFSETR: 1,
  TNIDF: 10,
  TNIDT: 10,
};

/** A row of either product: its attributes and its line. */
export interface CountyRow {
  readonly cells: Readonly<Record<string, string | number>>;
  readonly line: readonly LngLat[] | null;
}

/** All files of a shapefile of address ranges; `path` has no extension. */
export function countyShapefile(
  path: string,
  rows: readonly CountyRow[],
  columns: DbfColumns = ADDRFEAT_COLUMNS,
): InputTree {
  return {
    [`${path}.shp`]: lineShpFile(rows.map(({ line }) => line)),
    [`${path}.dbf`]: dbfFile(
      columns,
      rows.map(({ cells }) => cells),
    ),
    [`${path}.prj`]: GEOGRAPHIC_PRJ,
    [`${path}.cpg`]: 'UTF-8',
  };
}
