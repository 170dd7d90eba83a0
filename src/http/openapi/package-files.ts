import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '../../package-root.js';
import type { ExampleAnswers } from './describe-operation.js';

/** What the demo dataset answers. `npx vitest run --config test/vitest.config.ts contract/examples -u` makes it anew. */
const EXAMPLES_FILE = ['datasets', 'api-examples.json'] as const;

const packageSchema = z.object({ version: z.string() });
const examplesSchema = z.record(z.string(), z.unknown());

/** What the package itself says of the service: its version, and the answers that the reference shows, if it has any. */
export function readPackageFiles(): { readonly version: string; readonly examples: ExampleAnswers } {
  const { version } = packageSchema.parse(readJson(packageFile('package.json')));
  const examplesPath = packageFile(...EXAMPLES_FILE);
  return { version, examples: existsSync(examplesPath) ? examplesSchema.parse(readJson(examplesPath)) : {} };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
