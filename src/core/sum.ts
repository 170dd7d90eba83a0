/** The sum of numbers; 0 if there are none. */
export function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
