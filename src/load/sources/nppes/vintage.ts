import type { InputFile } from '../../input.js';

/** `npidata_pfile_20050523-20240107.csv`, weekly `npidata_pfile_20240108-20240114.csv`: the first and last day. */
const DAYS = /(?<!\d)(\d{8})-(\d{8})(?!\d)/;

/** The last day that an NPPES file covers according to its name, such as 20240114; undefined if the name has none. */
export function lastDayOf(file: InputFile): number | undefined {
  const day = DAYS.exec(file.name)?.[2];
  return day === undefined ? undefined : Number(day);
}

/** `through 2024-01-14`, for a product's name. */
export function throughDay(day: number | undefined): string {
  const text = String(day ?? '');
  return day === undefined ? 'of no known day' : `through ${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}
