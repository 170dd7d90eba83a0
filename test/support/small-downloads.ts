import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTestFetch, type TestFetch } from './fetching.js';
import { cenpopText, gazetteerText } from './official-files.js';
import { type Fault, startOfficialServer } from './official-server.js';
import { SMALL_TRACTS } from './small-input.js';
import { zipArchive } from './zip-writer.js';

/** The 2020 centers of population: the agency's path, the path of the fetched file, and a small text. */
export const CENPOP = 'www2.census.gov/geo/docs/reference/cenpop2020/tract/CenPop2020_Mean_TR.txt';
export const CENPOP_FILE = 'cenpop/2020/CenPop2020_Mean_TR.txt';
export const CENPOP_TEXT = cenpopText(
  Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [String(10001000000 + at), at])),
);
/** The 2023 gazetteer of tracts, a zip archive: the agency's path, the path of the fetched file, and a small archive. */
export const GAZETTEER =
  'www2.census.gov/geo/docs/maps-data/data/gazetteer/2023_Gazetteer/2023_Gaz_tracts_national.zip';
export const GAZETTEER_FILE = 'gazetteer/2023/2023_Gaz_tracts_national.zip';
export const gazetteer = (): Buffer =>
  zipArchive({ '2023_Gaz_tracts_national.txt': gazetteerText(SMALL_TRACTS) }, 'deflated');

/** A server that has the centers of population and fails as `fault` says for the nth request. */
export const cenpopWith = (fault: (nth: number) => Fault | undefined) =>
  startOfficialServer({ [CENPOP]: CENPOP_TEXT }, { fault: (_path, nth) => fault(nth) });
export const fetchCenpop = (mirror: string, options: Parameters<typeof runTestFetch>[1] = {}) =>
  runTestFetch({ sources: ['cenpop'], mirror }, options);
export const outcomes = ({ report }: TestFetch) => report.files.map(({ outcome }) => outcome);
/** The text of a fetched file. */
export const read = (outputDir: string, path = CENPOP_FILE): string => readFileSync(join(outputDir, path), 'utf8');
