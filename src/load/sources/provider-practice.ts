import { STATES } from '../../core/states.js';
import type { LoadSink } from '../model.js';
import type { Practice } from '../providers/provider.js';
import { addressLine, cityName } from '../providers/text/address-line.js';
import { phoneNumber } from '../providers/text/phone-number.js';
import { readZip } from '../providers/text/zip-code.js';
import type { Tally } from '../tally.js';

/** A row's address and phone number, cell by cell. */
export interface PracticeCells {
  readonly lines: readonly string[];
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly phone: string;
  /** Empty if the product has only addresses in the United States. */
  readonly country: string;
}

const BY_ABBREVIATION = new Map(STATES.map((state) => [state.abbreviation, state]));
const BY_NAME = new Map(STATES.map((state) => [state.name.toUpperCase(), state]));

/** Military post offices, which are in no state. */
const MILITARY = new Set(['AA', 'AE', 'AP']);

/** The country column's values for the United States and its territories. */
const US_COUNTRIES = new Set(['', 'US', 'USA', 'PR', 'GU', 'VI', 'AS', 'MP']);

/**
 * A provider's address in standard form. Undefined if it is not wanted, and the row is then accounted for: left out because
 * of its state or country, or rejected because there is no such state.
 */
export function takePractice(cells: PracticeCells, sink: LoadSink, tally: Tally): Practice | undefined {
  const name = cells.state.toUpperCase().replaceAll('.', '');
  const state = BY_ABBREVIATION.get(name) ?? BY_NAME.get(name);
  const reason =
    !US_COUNTRIES.has(cells.country.toUpperCase()) || MILITARY.has(name)
      ? 'outside of the United States'
      : state && sink.leaveOut(state.fips);
  if (reason !== undefined) tally.leave(reason);
  else if (!state && name === '') tally.reject('no state');
  else if (!state) tally.reject('no such state', { value: cells.state });
  if (reason !== undefined || !state) return undefined;
  const zip = readZip(cells.zip, state.abbreviation);
  if (zip?.repaired) tally.note('leading zero of the ZIP put back');
  if (zip === undefined && cells.zip !== '') tally.note('ZIP is none, left away');
  const phone = phoneNumber(cells.phone);
  if (phone === null && cells.phone !== '') tally.note('phone number is none, left away');
  return {
    practiceAddress: addressLine(...cells.lines),
    practiceCity: cityName(cells.city),
    practiceState: state.abbreviation,
    practiceZip: zip?.zip ?? null,
    phone,
  };
}
