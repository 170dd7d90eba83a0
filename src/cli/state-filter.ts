import { STATES } from '../core/states.js';
import { CliError } from './cli-error.js';

/** What `--states` and `--territories` leave out. */
export interface StateFilter {
  /** Two-digit FIPS codes of those that are wanted; undefined for all. */
  readonly states: ReadonlySet<string> | undefined;
  /** Whether all means Puerto Rico and the island areas, too. */
  readonly territories: boolean;
}

/** Reads both; `--states all` is as if it were not there. Throws `CliError` naming what is wrong. */
export function readStates({ states, territories = false }: StateArguments): StateFilter {
  const wanted = states === 'all' ? undefined : parseStates(states);
  if (wanted && territories) {
    throw new CliError('--territories keeps what --states does not name: give one of them, or name 72 in --states', 2);
  }
  return { states: wanted, territories };
}

interface StateArguments {
  readonly states?: string | undefined;
  readonly territories?: boolean | undefined;
}

/** Reads `--states 10,DC,27`: FIPS codes or postal abbreviations. Throws `CliError` naming what is no state. */
export function parseStates(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined;
  const codes = text.split(',').map((part) => part.trim().toUpperCase());
  return new Set(
    codes.map((code) => {
      const state = STATES.find((entry) => entry.fips === code || entry.abbreviation === code);
      if (!state)
        throw new CliError(
          `--states: ${code || 'an empty entry'} is no state (give FIPS codes such as 10,11,27, or DE,DC,MN)`,
          2,
        );
      return state.fips;
    }),
  );
}
