import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/** Has these stand in for the file system's own calls until the returned function is called, or the test ends. */
export function replaceCalls(calls: Partial<typeof fs>): () => void {
  const originals = Object.fromEntries(Object.keys(calls).map((name) => [name, Reflect.get(fs, name)]));
  const assign = (replacing: object): void => {
    Object.assign(fs, replacing);
    syncBuiltinESMExports();
  };
  const undo = (): void => assign(originals);
  onTestFinished(undo);
  assign(calls);
  return undo;
}
