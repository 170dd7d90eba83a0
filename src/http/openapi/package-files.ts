import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile, packageVersion } from '../../platform/package-root.js';
import type { ExampleAnswers } from './describe-operation.js';

/** What the demo dataset answers. `npx vitest run --config test/vitest.config.ts contract/examples -u` makes it anew. */
const EXAMPLES_FILE = ['datasets', 'api-examples.json'] as const;

const examplesSchema = z.record(z.string(), z.unknown());

/** What the package itself says of the service: its version, and the answers that the reference shows, if it has any. */
export function readPackageFiles(): { readonly version: string; readonly examples: ExampleAnswers } {
  const examplesPath = packageFile(...EXAMPLES_FILE);
  const examples = existsSync(examplesPath) ? JSON.parse(readFileSync(examplesPath, 'utf8')) : {};
  return { version: packageVersion(), examples: examplesSchema.parse(examples) };
}
