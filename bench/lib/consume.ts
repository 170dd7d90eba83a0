let sum = 0;

/** Uses an integer result, so that the compiler cannot eliminate the work that computed it. */
export function consume(value: number): void {
  sum = (sum + value) | 0;
}

/** The sum of everything consumed. It goes into the report, so that it has an observable use. */
export function consumed(): number {
  return sum;
}
