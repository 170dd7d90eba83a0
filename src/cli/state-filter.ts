import { STATES } from '../core/states.js';
import { CliError } from './cli-error.js';

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
