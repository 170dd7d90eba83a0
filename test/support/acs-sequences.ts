import { type InputTree, tractName } from './official-files.js';
import { zipArchive } from './zip-writer.js';

/** The tables of each sequence and their numbers of cells: tables that the loader uses, between some that it does not. */
const SEQUENCES: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  3: { B01001: 49, B01002: 3, B01003: 1 },
  49: { B17001: 59 },
  59: { B19001: 17, B19013: 1, B19019: 8 },
  78: { B23024: 31, B23025: 7 },
  118: { B27009: 21, B27010: 66, B27011: 17 },
};
/** The column of the first estimate: file, type, state, iteration, sequence and record come before it. */
const FIRST_START = 7;

export interface SequenceTract {
  readonly geoid: string;
  /** `Census Tract 401, Kent County, Delaware`. */
  readonly name?: string;
}

export interface SequenceYear {
  readonly year: number;
  /** The two-letter abbreviation in lower case. */
  readonly state: string;
  readonly tracts: readonly SequenceTract[];
  /** The estimate in a line such as B19013_001 for the tract at position `at`. */
  readonly estimate: (line: string, at: number) => string | number;
}

export interface SequenceFiles {
  readonly lookup: string;
  /** The file's name and text. */
  readonly geography: readonly [string, string];
  /** By four-digit sequence number: the name of its archive, and the texts of the archive's members. */
  readonly sequences: ReadonlyMap<string, { readonly archive: string; readonly members: Record<string, string> }>;
}

/**
 * A year's files of one state in the sequence-based layout. There is one record for the state, one for each tract, and one
 * for a block group in each tract.
 */
export function acsSequenceFiles({ year, state, tracts, estimate }: SequenceYear): SequenceFiles {
  const records = [
    { level: '040', geoId: `04000US${tracts[0]?.geoid.slice(0, 2)}`, name: 'Some State', at: undefined },
    ...tracts.flatMap(({ geoid, name = `${tractName(geoid)}, Some County, Some State` }, at) => [
      { level: '140', geoId: `14000US${geoid}`, name, at },
      { level: '150', geoId: `15000US${geoid}1`, name: `Block Group 1, ${name}`, at: undefined },
    ]),
  ].map((record, index) => ({ ...record, number: String(index + 1).padStart(7, '0') }));

  const row = (kind: string, sequence: string, tables: Readonly<Record<string, number>>, index: number): string => {
    const { number, at } = records[index] ?? { number: '', at: undefined };
    const cells = Object.entries(tables).flatMap(([table, count]) =>
      Array.from({ length: count }, (_, line) =>
        at === undefined || kind === 'm' ? '1' : estimate(`${table}_${String(line + 1).padStart(3, '0')}`, at),
      ),
    );
    return `ACSSF,${year}${kind}5,${state},000,${sequence},${number},${cells.join(',')}\n`;
  };
  const sequences = Object.entries(SEQUENCES).map(([number, tables]) => {
    const sequence = number.padStart(4, '0');
    const name = `${year}5${state}${sequence}000`;
    const text = (kind: string): string => records.map((_, index) => row(kind, sequence, tables, index)).join('');
    const members = { [`e${name}.txt`]: text('e'), [`m${name}.txt`]: text('m') };
    return [sequence, { archive: `${name}.zip`, members }] as const;
  });
  return {
    lookup: lookupText(year),
    geography: [`g${year}5${state}.csv`, records.map((record) => geographyRow(state, record)).join('')],
    sequences: new Map(sequences),
  };
}

/** The same files at the agency's paths below `summary_file/<year>`; `folder` is the state's folder, such as Delaware. */
export function acsSequenceTree(folder: string, given: SequenceYear): InputTree {
  const { lookup, geography, sequences } = acsSequenceFiles(given);
  const root = `www2.census.gov/programs-surveys/acs/summary_file/${given.year}`;
  const data = `${root}/data/5_year_seq_by_state/${folder}/Tracts_Block_Groups_Only`;
  return {
    [`${root}/documentation/user_tools/ACS_5yr_Seq_Table_Number_Lookup.txt`]: lookup,
    [`${data}/${geography[0]}`]: geography[1],
    ...Object.fromEntries(
      [...sequences.values()].map(({ archive, members }) => [`${data}/${archive}`, zipArchive(members, 'deflated')]),
    ),
  };
}

/** The lookup file, with sequence numbers without leading zeros as in 2014's; titles with a comma are quoted. */
function lookupText(year: number): string {
  const rows = Object.entries(SEQUENCES).flatMap(([sequence, tables]) => {
    let start = FIRST_START;
    return Object.entries(tables).flatMap(([table, cells]) => {
      const first = `ACSSF,${table},${sequence},,${start},${cells} CELLS,,"TITLE OF ${table}, IN ${year}",Subject`;
      const lines = Array.from(
        { length: cells },
        (_, line) => `ACSSF,${table},${sequence},${line + 1},,,,Label of the line,`,
      );
      start += cells;
      return [first, `ACSSF,${table},${sequence},,,,,Universe:  Total population,`, ...lines];
    });
  });
  const header =
    'File ID,Table ID,Sequence Number,Line Number,Start Position,Total Cells in Table,Total Cells in Sequence,' +
    'Table Title,Subject Area';
  return `${[header, ...rows].join('\n')}\n`;
}

/** A row of the geography file: 53 columns, most of them empty. */
function geographyRow(
  state: string,
  { level, number, geoId, name }: { level: string; number: string; geoId: string; name: string },
): string {
  const cells = new Array<string>(53).fill('');
  cells.splice(0, 5, 'ACSSF', state.toUpperCase(), level, '00', number);
  cells.splice(48, 2, geoId, `"${name}"`);
  return `${cells.join(',')}\n`;
}
