/** The prefix of a tract's GEO_ID; the rest is its GEOID. */
export const GEO = '1400000US';
export const DE = '10001040100';
export const DE_NAME = 'Census Tract 401; Kent County; Delaware';

/** CSV as data.census.gov writes it: a byte order mark, every cell quoted, a comma at the end of each line. */
export const quoted = (...rows: (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map((cell) => `"${cell}"`).join(',')},\n`).join('')}`;

/** Rows for counties in a table with one estimate and its margin of error. */
export const counties = (count: number): string[][] =>
  Array.from({ length: count }, (_, index) => [`0500000US${10001 + index}`, `County ${index}, Some State`, '1', '1']);
