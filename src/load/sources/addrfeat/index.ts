import { stateByFips } from '../../../core/states.js';
import { type DbfHeader, findField } from '../../files/dbf.js';
import type { CompleteShapefile } from '../../files/discover.js';
import { whyNotGeographic } from '../../files/projection.js';
import { InputError } from '../../input.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { yearOfFile } from '../file-year.js';
import type { CountyFile } from './county-file.js';
import { findAddressColumns } from './layout.js';

export { readCounty } from './read.js';

/** A shapefile of address ranges that may be loaded, or why it must not be. */
export type CountyRecognition = { readonly county: CountyFile } | { readonly product: string; readonly refuse: string };

const OFFICIAL_NAME = /^tl_(\d{4})_(\d{5})_(addrfeat|edges)$/i;
/** A county's FIPS code in the file's own name, or in those of the folders and archives that contain it. */
const FIVE_DIGITS = /(?<!\d)\d{5}(?!\d)/g;

/**
 * Recognizes a shapefile of address ranges by its name or columns; undefined for other shapefiles. Throws `InputError` on
 * one without the columns.
 */
export async function recognizeCounty(
  set: CompleteShapefile,
  header: DbfHeader,
): Promise<CountyRecognition | undefined> {
  const [, officialYear, officialCounty, officialKind] = OFFICIAL_NAME.exec(set.name) ?? [];
  const { fields, rowCount } = header;
  const columns = findAddressColumns(fields);
  if (!columns) {
    if (!officialKind) return undefined;
    throw new InputError(
      `${set.dbf.label} (${productName(officialKind, officialYear)}): has no columns of address ranges`,
    );
  }
  const year = Number(officialYear ?? yearOfFile(set.shp) ?? 0);
  const product = productName(columns.product, year || 'of unknown year');
  const refuse = await whyNotGeographic(set);
  if (refuse !== undefined) return { product, refuse };
  const countyFips = officialCounty ?? countyOfRows(header) ?? countyOfPath(set.label);
  if (countyFips === undefined || !isCounty(countyFips)) {
    const why =
      countyFips === undefined
        ? 'its name does not contain its county'
        : `${countyFips} is not the FIPS code of a county`;
    return { product, refuse: `${why}; name it as the agency does, tl_<year>_<county>_addrfeat` };
  }
  return { county: { set, columns, product, year, countyFips, rowCount } };
}

/** The county in the columns of EDGES, whose file is of one county; ADDRFEAT has no such columns. */
function countyOfRows({ fields, firstRow }: DbfHeader): string | undefined {
  const [state, county] = [findField(fields, 'STATEFP'), findField(fields, 'COUNTYFP')];
  const fips = state && county ? firstRow(state) + firstRow(county) : '';
  return isCounty(fips) ? fips : undefined;
}

/** The county in the path; a number that can be none, such as a ZIP, is returned only if there is no better one. */
function countyOfPath(label: string): string | undefined {
  const codes = [...label.matchAll(FIVE_DIGITS)].map(([code]) => code);
  return codes.findLast(isCounty) ?? codes.at(-1);
}

const isCounty = (fips: string): boolean =>
  /^\d{5}$/.test(fips) && stateByFips(fips.slice(0, 2)) !== undefined && !fips.endsWith('000');

const productName = (kind: string, year: string | number = ''): string =>
  `TIGER/Line ${kind.toUpperCase()} ${year}`.trim();

/** The product whose shapefiles have this name (without extension); undefined for names that are not official. */
export function officialAddressProduct(name: string): string | undefined {
  const [, year, , kind] = OFFICIAL_NAME.exec(name) ?? [];
  return kind === undefined ? undefined : productName(kind, year);
}

/** Connecticut's counties, and the planning regions that have replaced them in files since 2022; both cover the state. */
const CONNECTICUT_COUNTY = /^090(?:0[13579]|1[135])$/;
const CONNECTICUT_REGIONS = '09110 09120 09130 09140 09150 09160 09170 09180 09190'.split(' ');

/**
 * Chooses one file per county: ADDRFEAT, which has all names of a street, over EDGES, then the newest. Of Connecticut either
 * its planning regions, if all are there, or all there is: where two years differ about a house, it would be a tie. The rows
 * of the other files, and of states that are not wanted, are accounted for here. Sorted by county.
 */
export function chooseCounties(files: readonly CountyFile[], sink: LoadSink): CountyFile[] {
  const best = new Map<string, CountyFile>();
  for (const file of files) {
    const known = best.get(file.countyFips);
    if (!known || rankOf(file) > rankOf(known)) best.set(file.countyFips, file);
  }
  const regions = worstOf(CONNECTICUT_REGIONS.map((fips) => best.get(fips)));
  const whyLeftOut = (file: CountyFile): string | undefined => {
    const unwanted = sink.leaveOut(file.countyFips.slice(0, 2));
    if (unwanted) return unwanted;
    const chosen = best.get(file.countyFips);
    if (chosen && chosen !== file) return whyNot(file, chosen);
    const isReplaced = regions && CONNECTICUT_COUNTY.test(file.countyFips) && rankOf(regions) > rankOf(file);
    return isReplaced ? `planning regions of Connecticut in ${regions.product}` : undefined;
  };
  const kept = files.filter((file) => {
    const why = whyLeftOut(file);
    if (why !== undefined) leave(file, why, sink);
    return why === undefined;
  });
  return kept.sort((a, b) => (a.countyFips < b.countyFips ? -1 : 1));
}

/** The file with the least rank; undefined if any is missing. */
function worstOf(files: readonly (CountyFile | undefined)[]): CountyFile | undefined {
  const there = files.flatMap((file) => file ?? []);
  return there.length === files.length ? there.toSorted((a, b) => rankOf(a) - rankOf(b))[0] : undefined;
}

const whyNot = (file: CountyFile, chosen: CountyFile): string =>
  `${rankOf(chosen) > rankOf(file) ? 'better' : 'another'} file of the county in ${chosen.product}`;

const YEARS_PER_GRADE = 10_000;
const rankOf = ({ columns, year }: CountyFile): number => (columns.product === 'ADDRFEAT' ? YEARS_PER_GRADE : 0) + year;

function leave({ set, product, rowCount }: CountyFile, why: string, sink: LoadSink): void {
  const tally = sink.tally('addrfeat', product, set.label);
  tally.read += rowCount;
  tally.leave(why, rowCount);
}
