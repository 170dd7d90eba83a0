import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile, packageVersion } from '../../platform/package-root.js';
import type { ExampleAnswers } from './describe-operation.js';

/** Answers from the demo dataset. To regenerate: `npx vitest run --config test/vitest.config.ts contract/examples -u`. */
const EXAMPLES_FILE = ['datasets', 'api-examples.json'] as const;

const examplesSchema = z.record(z.string(), z.unknown());

/** Reads the service's version and the reference's example answers from the package; without a file there are none. */
export function readPackageFiles(): { readonly version: string; readonly examples: ExampleAnswers } {
  const examplesPath = packageFile(...EXAMPLES_FILE);
  const examples = existsSync(examplesPath) ? JSON.parse(readFileSync(examplesPath, 'utf8')) : {};
  return { version: packageVersion(), examples: examplesSchema.parse(examples) };
}
