/** A count with its noun: `1 tract`, `2 tracts`, `0 counties`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
