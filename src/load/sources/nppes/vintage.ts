import type { InputFile } from '../../input.js';

/** `npidata_pfile_20050523-20240107.csv`, weekly `npidata_pfile_20240108-20240114.csv`: from one day to another. */
const DAYS = /(?<!\d)(\d{8})-(\d{8})(?!\d)/;

/** The last day that an NPPES file tells of, such as 20240114, by its name; undefined where the name does not say. */
export function lastDayOf(file: InputFile): number | undefined {
  const day = DAYS.exec(file.name)?.[2];
  return day === undefined ? undefined : Number(day);
}

/** `through 2024-01-14`, for a product's name. */
export function throughDay(day: number | undefined): string {
  const text = String(day ?? '');
  return day === undefined ? 'of no known day' : `through ${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}
