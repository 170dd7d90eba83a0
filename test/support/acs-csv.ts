/** A tract's GEO_ID is this and its GEOID. */
export const GEO = '1400000US';
export const DE = '10001040100';
export const DE_NAME = 'Census Tract 401; Kent County; Delaware';

/** As data.census.gov writes it: all quoted, a byte order mark, a comma at the end of each line. */
export const quoted = (...rows: (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map((cell) => `"${cell}"`).join(',')},\n`).join('')}`;

/** Rows of counties, of a table with one estimate and its margin. */
export const counties = (count: number): string[][] =>
  Array.from({ length: count }, (_, index) => [`0500000US${10001 + index}`, `County ${index}, Some State`, '1', '1']);
