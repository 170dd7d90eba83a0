import { buffer } from 'node:stream/consumers';
import { read } from 'shapefile';
import { discoverFiles } from '../../src/load/files/discover.js';

/** One side of a row in an official file of address ranges, read without the loader. */
export interface OfficialRange {
  /** The file's state, from its name. */
  readonly stateFips: string;
  readonly row: number;
  readonly street: string;
  readonly from: string;
  readonly to: string;
  /** Empty if the file has no valid ZIP. */
  readonly zip: string;
  readonly side: 'left' | 'right';
  /** Longitude and latitude of each vertex. */
  readonly line: readonly (readonly [number, number])[];
}

const SIDES = [
  { side: 'left', columns: ['LFROMHN', 'LTOHN', 'LFROMADD', 'LTOADD', 'ZIPL'] },
  { side: 'right', columns: ['RFROMHN', 'RTOHN', 'RFROMADD', 'RTOADD', 'ZIPR'] },
] as const;

/** Reads every range with both ends from the files below a directory, with the npm package `shapefile`. */
export async function readOfficialRanges(inputDir: string): Promise<OfficialRange[]> {
  const { shapefiles } = await discoverFiles([inputDir]);
  const ranges: OfficialRange[] = [];
  for (const { shp, dbf, name } of shapefiles) {
    const [, stateFips] = /^tl_\d{4}_(\d{2})\d{3}_(?:addrfeat|edges)$/.exec(name) ?? [];
    if (!dbf || stateFips === undefined) continue;
    const { features } = await read(await buffer(await shp.open()), await buffer(await dbf.open()), {
      encoding: 'utf-8',
    });
    features.forEach(({ geometry, properties }, row) => {
      if (geometry?.type !== 'LineString') return;
      const text = (column: string): string => String(properties?.[column] ?? '').trim();
      const line = geometry.coordinates.map(([lng = 0, lat = 0]) => [lng, lat] as const);
      for (const { side, columns } of SIDES) {
        const [fromHn, toHn, fromAdd, toAdd, zipColumn] = columns;
        const [from, to, zip] = [text(fromHn) || text(fromAdd), text(toHn) || text(toAdd), text(zipColumn)];
        if (from === '' || to === '') continue;
        const known = /^\d{5}$/.test(zip) && zip !== '99999' ? zip : '';
        ranges.push({ stateFips, row, street: text('FULLNAME'), from, to, zip: known, side, line });
      }
    });
  }
  return ranges;
}

/** Splits a house number into the digits at its end and the prefix before them. */
function splitNumber(text: string): readonly [prefix: string, value: number] {
  const [, prefix = '', digits = '0'] = /^(.*?)(\d+)$/.exec(text) ?? [];
  return [prefix, Number(digits)];
}

/** Two house numbers of a range: its first, and one in the middle with the same parity and number of digits. */
export function numbersOf({ from, to }: OfficialRange): string[] {
  const [prefix, first] = splitNumber(from);
  const [, last] = splitNumber(to);
  const middle = first + 2 * Math.trunc((last - first) / 4);
  const digits = from.length - prefix.length;
  return [...new Set([first, middle])].map((value) => prefix + String(value).padStart(digits, '0'));
}

/** Whether a range contains a number: between its ends, and of their parity if both have the same. */
export function hasNumber({ from, to }: OfficialRange, number: string): boolean {
  const [[prefix, first], [otherPrefix, last], [asked, value]] = [
    splitNumber(from),
    splitNumber(to),
    splitNumber(number),
  ];
  if (prefix !== asked || prefix !== otherPrefix) return false;
  if (value < Math.min(first, last) || value > Math.max(first, last)) return false;
  return first % 2 !== last % 2 || first % 2 === value % 2;
}
