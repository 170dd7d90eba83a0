/** The areas within which tracts are ranked and averaged. */
export const SCOPES = ['county', 'state', 'national'] as const;
export type Scope = (typeof SCOPES)[number];
