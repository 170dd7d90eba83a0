let sum = 0;

/** Uses a whole number, so that the compiler cannot leave out the work that gave it. */
export function consume(value: number): void {
  sum = (sum + value) | 0;
}

/** What has been consumed: part of the report, so that it is needed. */
export function consumed(): number {
  return sum;
}
