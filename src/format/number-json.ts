/** A number as JSON; null for a missing value (NaN). Far faster than `JSON.stringify`. */
export const numberJson = (value: number | undefined): string => (Number.isFinite(value) ? String(value) : 'null');
