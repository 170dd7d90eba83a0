import { fstatSync, statSync } from 'node:fs';

/** Whether what is printed goes to /dev/null, which Node also puts in the place of a stdout that is closed. */
export function isDiscarded(): boolean {
  const stdout = fstatSync(1);
  return stdout.isCharacterDevice() && stdout.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

/**
 * Prints a result. If that fails, says `ifLost`, what to do about a result that is shown only once; without it, a reader
 * that is gone has seen enough. Returns false if such a result is lost.
 */
export async function print(text: string, ifLost: string | undefined): Promise<boolean> {
  return await new Promise((resolve) => {
    process.stdout.write(`${text}\n`, (error) => {
      const isLost = Boolean(error) && ifLost !== undefined;
      // Right here, as the stream's other listener ends the process on a full disk.
      if (isLost) console.error(ifLost);
      resolve(!isLost);
    });
  });
}
