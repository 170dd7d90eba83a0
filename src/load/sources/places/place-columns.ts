/** What names a row's place beside its GEOID, in both layouts. */
export const PLACES_PLACE = { state: 'StateAbbr', county: 'CountyFIPS' } as const;
