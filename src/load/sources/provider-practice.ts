import { STATES, type State, stateByAbbreviation } from '../../core/states.js';
import type { ByteRow } from '../files/byte-rows.js';
import type { Example } from '../intake/example.js';
import type { LoadSink } from '../intake/load-sink.js';
import type { Tally } from '../intake/tally.js';
import type { Practice } from '../providers/provider.js';
import { addressLine, cityName } from '../providers/text/address-line.js';
import { phoneNumber } from '../providers/text/phone-number.js';
import { readZip } from '../providers/text/zip-code.js';
import { whySpoiled } from './tract-field.js';

/** The indexes of the columns that hold an address and a phone number; undefined where a table has no such column. */
interface PracticeColumns {
  readonly line1: number | undefined;
  readonly line2?: number;
  readonly city: number | undefined;
  readonly state: number;
  readonly zip: number | undefined;
  readonly phone?: number | undefined;
}

const BY_NAME = new Map(STATES.map((state) => [state.name.toUpperCase(), state]));

/** Military post offices, and the freely associated states, which the post serves although they are countries. */
const OUTSIDE = new Set(['AA', 'AE', 'AP', 'FM', 'MH', 'PW']);

/** The country column's values for the United States and its territories, also as other registries' exports have them. */
const US_COUNTRIES = new Set([
  ...['', 'US', 'PR', 'GU', 'VI', 'AS', 'MP'],
  ...['USA', 'UNITED STATES', 'UNITED STATES OF AMERICA'],
]);

const normalized = (name: string): string => name.toUpperCase().replaceAll('.', '');
const stateNamed = (name: string): State | undefined => stateByAbbreviation(name) ?? BY_NAME.get(name);

/**
 * Why a row is left out because of its state or country; undefined if it is wanted, or names no state there is. To be asked
 * before the row's other cells are checked: faults in rows that nobody wants must not count.
 */
export function whyUnwanted(state: string, country: string, sink: LoadSink): string | undefined {
  const name = normalized(state);
  if (!US_COUNTRIES.has(normalized(country)) || OUTSIDE.has(name)) return 'outside the United States';
  const known = stateNamed(name);
  return known && sink.leaveOut(known.fips);
}

/** Accounts for a row that cannot be read: left out if it is `unwanted` for this reason anyway, else rejected. */
export function refuseRow(unwanted: string | undefined, tally: Tally, fault: string, example?: Example): void {
  if (unwanted === undefined) tally.reject(fault, example);
  else tally.leave(unwanted);
}

/** Like {@link refuseRow}, for a row whose text in the column of NPIs is none. */
export function refuseNpi(unwanted: string | undefined, tally: Tally, text: string): void {
  refuseRow(unwanted, tally, whySpoiled(text, 'NPI') ?? 'not an NPI', { column: 'NPI', value: text });
}

/** A wanted row's address in standard form; undefined if there is no such state, and the row is then rejected. */
export function takePractice(row: ByteRow, columns: PracticeColumns, tally: Tally): Practice | undefined {
  const stateText = row.text(columns.state);
  const name = normalized(stateText);
  const state = stateNamed(name);
  if (!state) {
    if (name === '') tally.reject('no state');
    else tally.reject('unknown state', { value: stateText });
    return undefined;
  }
  const zipText = row.text(columns.zip);
  const zip = readZip(zipText, state.abbreviation);
  if (zip?.repaired) tally.note('leading zero of the ZIP restored');
  if (zip === undefined && zipText !== '') tally.note('ZIP is not valid, so not used');
  const phoneText = row.text(columns.phone);
  const phone = phoneNumber(phoneText);
  if (phone === null && phoneText !== '') tally.note('phone number is not valid, so not used');
  return {
    practiceAddress: addressLine(row.text(columns.line1), row.text(columns.line2)),
    practiceCity: cityName(row.text(columns.city)),
    practiceState: state.abbreviation,
    practiceZip: zip?.zip ?? null,
    phone,
  };
}
