/** Words that join two streets. */
export const JOINS = new Set(['&', 'AND', 'AT']);
