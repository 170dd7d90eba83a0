import { STATES } from '../core/states.js';
import { CliError } from './cli-error.js';

/** The states selected by `--states` and `--territories`. */
export interface StateFilter {
  /** Two-digit FIPS codes of the selected states; undefined for all. */
  readonly states: ReadonlySet<string> | undefined;
  /** Whether `all` includes Puerto Rico and the island areas. */
  readonly territories: boolean;
}

/** Reads both options; `--states all` is the same as leaving it out. Throws `CliError` naming what is wrong. */
export function readStates({ states, territories = false }: StateArguments): StateFilter {
  const wanted = states === 'all' ? undefined : parseStates(states);
  if (wanted && territories) {
    throw new CliError(
      '--territories cannot be combined with --states; to add a territory, list it in --states, such as 72',
      2,
    );
  }
  return { states: wanted, territories };
}

interface StateArguments {
  readonly states?: string | undefined;
  readonly territories?: boolean | undefined;
}

/** Reads `--states 10,DC,27`: FIPS codes or postal abbreviations. Throws `CliError` naming an unknown state. */
function parseStates(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined;
  const codes = text.split(',').map((part) => part.trim().toUpperCase());
  return new Set(
    codes.map((code) => {
      const state = STATES.find((entry) => entry.fips === code || entry.abbreviation === code);
      if (!state)
        throw new CliError(
          `--states: ${code || 'an empty entry'} is not a state; use FIPS codes such as 10,11,27, or abbreviations such as DE,DC,MN`,
          2,
        );
      return state.fips;
    }),
  );
}
