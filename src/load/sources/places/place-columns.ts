/** The columns that name a row's state and county besides its GEOID, in both layouts. */
export const PLACES_PLACE = { state: 'StateAbbr', county: 'CountyFIPS' } as const;
