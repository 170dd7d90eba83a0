/** A time as the contract writes it: ISO 8601 with an offset, not `Z`. */
export function withOffset(time: Date): string {
  return time.toISOString().replace('Z', '+00:00');
}
