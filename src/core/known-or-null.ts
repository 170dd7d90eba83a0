/** A value as responses show it: null if it is missing, which is NaN in memory. */
export function knownOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
