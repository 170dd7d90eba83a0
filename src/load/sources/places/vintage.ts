import type { InputFile } from '../../input.js';
import type { LayerKey } from '../../intake/layer.js';
import type { TractVintage } from '../../source-id.js';
import { hasColumns } from '../columns.js';
import { foldersOf, yearIn } from '../file-year.js';
import { foreignMarks, type ReleaseMark } from '../release-marks.js';

/** The first release; its predecessor, 500 Cities, is refused. */
const FIRST_RELEASE = 2020;

/** BRFSS answers are published two years later, so the newest measures of a release are two years old. */
export const YEARS_TO_RELEASE = 2;

/** The newest release when this was written. A folder's year after the next one is a mistake, or a day. */
const NEWEST_KNOWN_RELEASE = 2025;

/** The release year in a file name that contains `places`, as the agency's names do: `…_2024_release_….csv`. */
export function releaseOfName({ name }: InputFile): number | undefined {
  if (!/places/i.test(name)) return undefined;
  const named = /(20\d\d)[ _-]*release/i.exec(name)?.[1] ?? name;
  return yearIn(named, (year) => year >= FIRST_RELEASE);
}

/** Folder names that give a release: `2024`, `places-2024`, `2024_release`; `load-2026` gives the time of the load. */
const RELEASE_FOLDER = /^20\d\d$|places|release/i;

const NAME_IT = 'name it as the agency does';

/**
 * The release year according to the folders on the path, for the wide layout, whose rows have no year. If no folder gives
 * one, if folders contradict each other, or if there cannot be such a release yet, the reason, as a message for the
 * maintainer.
 */
export function releaseOfFolders(file: InputFile): { readonly release: number } | { readonly refuse: string } {
  const years = foldersOf(file)
    .filter((folder) => RELEASE_FOLDER.test(folder))
    .map((folder) => yearIn(folder) ?? yearIn(folder, () => true))
    .filter((year) => year !== undefined);
  const [release, ...others] = new Set(years);
  if (release === undefined) return { refuse: `neither its name nor its folder gives its release; ${NAME_IT}` };
  if (others.length > 0)
    return { refuse: `its folders give different releases (${[release, ...others].join(' and ')}); ${NAME_IT}` };
  if (release >= FIRST_RELEASE && release <= NEWEST_KNOWN_RELEASE + 1) return { release };
  const known = `${FIRST_RELEASE} to ${NEWEST_KNOWN_RELEASE + 1}`;
  return { refuse: `its folder gives release ${release}, but only ${known} are accepted from a folder; ${NAME_IT}` };
}

/** The first release on 2020 tracts. */
const FIRST_ON_2020_TRACTS = 2024;

const MARKS: readonly ReleaseMark[] = [
  { column: 'TotalPop18plus', since: FIRST_ON_2020_TRACTS },
  { column: 'GHLTH_CrudePrev', since: 2021 },
  { column: 'HEARING_CrudePrev', since: 2023 },
  { column: 'FOODSTAMP_CrudePrev', since: 2024 },
  { column: 'LONELINESS_CrudePrev', since: 2025 },
  { column: 'KIDNEY_CrudePrev', until: 2023 },
];

/** The earliest release that the columns can be of. */
export const earliestRelease = (header: readonly string[]): number =>
  Math.max(FIRST_RELEASE, ...MARKS.map(({ column, since = 0 }) => (hasColumns(header, column) ? since : 0)));

/** Explains to the maintainer that name or folder give another release than the columns. */
export function columnsContradiction(header: readonly string[], release: number): string | undefined {
  const [mark] = foreignMarks(MARKS, header, release);
  if (!mark) return undefined;
  const { column, since = release, until } = mark;
  const [when, others] = release < since ? [`${since} or later`, 'earlier'] : [`${until} or earlier`, 'later'];
  return `its name or folder says ${release}, but its columns say ${when}: ${others} releases have no column ${column}`;
}

/** Measures that BRFSS asks for every other year, so that a release may have them of the year before the others'. */
const BIENNIAL =
  /^(?:BPHIGH|BPMED|CERVICAL|CHOLSCREEN|COLON_SCREEN|CORE[MW]|DENTAL|HIGHCHOL|MAMMOUSE|SLEEP|TEETHLOST)$/i;

/** Whether a row with this measure and this year is of another release than this one. */
export function isOfOtherRelease(measure: string, year: string, release: number): boolean {
  const age = release - Number(year);
  // What later releases do is not known.
  if (year === '' || release > NEWEST_KNOWN_RELEASE || age === YEARS_TO_RELEASE) return false;
  return !(age === YEARS_TO_RELEASE + 1 && BIENNIAL.test(measure));
}

export const placesProduct = (release: number): string => `CDC PLACES ${release}`;

const tractVintageOf = (release: number): TractVintage => (release < FIRST_ON_2020_TRACTS ? 2010 : 2020);

/** The key of the layer that holds these metrics of a release; not every file has every measure. */
export function placesLayerKey(release: number, metrics: readonly string[]): LayerKey {
  return {
    source: 'places',
    table: 'PLACES',
    year: release,
    tractVintage: tractVintageOf(release),
    label: placesProduct(release),
    metrics,
    preference: 0,
  };
}
