import { obtain } from '../../../../core/obtain.js';
import { InputError, type InputFile } from '../../../input.js';
import { readGeography, type TractRecord, type TractRecords } from './geography.js';
import type { TablePlace } from './lookup.js';

/**
 * The keys to sequence files: which columns belong to which table, and which record numbers to which tracts. Both differ
 * by year, record numbers also by state.
 */
export interface SequenceKeys {
  /** Throws `InputError` if the year has another lookup already, which says otherwise. */
  addLookup(year: number, places: readonly TablePlace[], label: string): void;
  /** `state` is the two-letter code, in lower case. A state may have several of a year, which together list its records. */
  addGeography(year: number, state: string, file: InputFile): void;
  /** The tables of a sequence. Throws `InputError` if the year has no lookup; `label` names the file that needs it. */
  tables(year: number, sequence: number, label: string): readonly TablePlace[];
  /** A state's tracts. Throws `InputError` if it has no geography file, or one cannot be read or contradicts another. */
  records(year: number, state: string, label: string): Promise<TractRecords>;
}

export function createSequenceKeys(): SequenceKeys {
  const lookups = new Map<number, { readonly places: readonly TablePlace[]; readonly label: string }>();
  const geographies = new Map<string, InputFile[]>();
  // A state's sequences follow each other: its records, a hundred thousand in the largest, are kept until the next state.
  let open: { readonly id: string; readonly records: TractRecords } | undefined;
  return {
    addLookup: (year, places, label) => {
      const { label: other } = obtain(lookups, year, () => ({ places, label }));
      if (JSON.stringify(lookups.get(year)?.places) === JSON.stringify(places)) return;
      throw new InputError(`${label}: it contradicts ${other}, the other lookup of ${year}; remove the wrong one`);
    },
    addGeography: (year, state, file) => void obtain(geographies, `${year} ${state}`, () => []).push(file),
    tables: (year, sequence, label) => {
      const { places } = lookups.get(year) ?? {};
      if (places) return places.filter((place) => place.sequence === sequence);
      throw new InputError(
        `${label}: the input lacks ACS_5yr_Seq_Table_Number_Lookup.txt of ${year}, which says where its tables are`,
      );
    },
    records: async (year, state, label) => {
      const id = `${year} ${state}`;
      const files = geographies.get(id);
      if (!files) {
        throw new InputError(`${label}: the input lacks g${year}5${state}.csv, which gives the tracts of its records`);
      }
      if (open?.id !== id) open = { id, records: await readGeographies(files, state) };
      return open.records;
    },
  };
}

/** The records of all of a state's files, as those for tracts and for larger areas lie in folders of their own. */
async function readGeographies(files: readonly InputFile[], state: string): Promise<TractRecords> {
  const all = new Map<string, TractRecord | null>();
  let others = '';
  for (const file of files) {
    for (const [number, record] of await readGeography(file, state)) {
      const known = all.get(number);
      if (known !== undefined && known?.geoid !== record?.geoid) {
        const what = `record ${number} is ${nameOf(record)} here, ${nameOf(known)} there`;
        throw new InputError(`${file.label}: it contradicts ${others}: ${what}; remove the wrong one`);
      }
      all.set(number, known ?? record);
    }
    others = others === '' ? file.label : `${others}, ${file.label}`;
  }
  return all;
}

const nameOf = (record: TractRecord | null): string => (record ? `tract ${record.geoid}` : 'no tract');
