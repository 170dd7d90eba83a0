import { obtain } from '../../../../core/obtain.js';
import { InputError, type InputFile } from '../../../input.js';
import { readGeography, type TractRecords } from './geography.js';
import type { TablePlace } from './lookup.js';

/**
 * The keys to sequence files: which columns belong to which table, and which record numbers to which tracts. Both differ
 * by year, record numbers also by state.
 */
export interface SequenceKeys {
  /** Throws `InputError` if the year has another lookup already, which says otherwise. */
  addLookup(year: number, places: readonly TablePlace[], label: string): void;
  /** `state` is the two-letter code, in lower case. */
  addGeography(year: number, state: string, file: InputFile): void;
  /** The tables of a sequence. Throws `InputError` if the year has no lookup; `label` names the file that needs it. */
  tables(year: number, sequence: number, label: string): readonly TablePlace[];
  /** A state's tracts. Throws `InputError` if it has no geography file, or the file cannot be read. */
  records(year: number, state: string, label: string): Promise<TractRecords>;
}

export function createSequenceKeys(): SequenceKeys {
  const lookups = new Map<number, { readonly places: readonly TablePlace[]; readonly label: string }>();
  const geographies = new Map<string, InputFile>();
  // A state's sequences follow each other: its records, a hundred thousand in the largest, are kept until the next state.
  let open: { readonly id: string; readonly records: TractRecords } | undefined;
  return {
    addLookup: (year, places, label) => {
      const { label: other } = obtain(lookups, year, () => ({ places, label }));
      if (JSON.stringify(lookups.get(year)?.places) === JSON.stringify(places)) return;
      throw new InputError(`${label}: it contradicts ${other}, the other lookup of ${year}; remove the wrong one`);
    },
    addGeography: (year, state, file) => void geographies.set(`${year} ${state}`, file),
    tables: (year, sequence, label) => {
      const { places } = lookups.get(year) ?? {};
      if (places) return places.filter((place) => place.sequence === sequence);
      throw new InputError(
        `${label}: the input lacks ACS_5yr_Seq_Table_Number_Lookup.txt of ${year}, which says where its tables are`,
      );
    },
    records: async (year, state, label) => {
      const id = `${year} ${state}`;
      const file = geographies.get(id);
      if (!file) {
        throw new InputError(`${label}: the input lacks g${year}5${state}.csv, which gives the tracts of its records`);
      }
      if (open?.id !== id) open = { id, records: await readGeography(file, state) };
      return open.records;
    },
  };
}
