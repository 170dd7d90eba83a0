import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The path of a file of this package. Sources and compiled modules lie at different depths below its root. */
export function packageFile(...segments: string[]): string {
  for (let directory = import.meta.dirname; ; directory = dirname(directory)) {
    if (existsSync(join(directory, 'package.json'))) return join(directory, ...segments);
    if (dirname(directory) === directory) throw new Error(`no package.json above ${import.meta.dirname}`);
  }
}

/** This package's version, from package.json. */
export function packageVersion(): string {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return version;
}
