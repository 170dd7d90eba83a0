import { readdirSync } from 'node:fs';

/** The names in a directory; none if it cannot be read, which need not keep a file from being made there. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
