import type { TractsFile } from '../format/tracts-file.js';

/** A page of the loaded states. */
export interface CoverageQuery {
  readonly offset: number;
  readonly limit: number;
}

/** The body of a coverage answer (SPEC 4.9, 2.12). */
export interface CoverageAnswer {
  /** All loaded states and tracts, regardless of the page. */
  readonly total_states: number;
  readonly total_tracts: number;
  readonly offset: number;
  readonly limit: number;
  /** By FIPS code, ascending. */
  readonly states: readonly { readonly state_fips: string; readonly tract_count: number }[];
}

/** A page of the loaded states, with their numbers of tracts. */
export function coverage(
  { description, tractCount }: Pick<TractsFile, 'description' | 'tractCount'>,
  { offset, limit }: CoverageQuery,
): CoverageAnswer {
  const { states } = description;
  return {
    total_states: states.length,
    total_tracts: tractCount,
    offset,
    limit,
    states: states.slice(offset, offset + limit).map((state) => ({
      state_fips: state.fips,
      tract_count: state.tractCount,
    })),
  };
}
