import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../../core/parse-json.js';
import { packageFile, packageVersion } from '../../platform/package-root.js';
import type { ExampleAnswers } from './describe-operation.js';

/** Answers from the demo dataset. To regenerate: `npx vitest run --config test/vitest.config.ts contract/examples -u`. */
const EXAMPLES_FILE = ['datasets', 'api-examples.json'] as const;

const examplesSchema = z.record(z.string(), z.unknown());

/**
 * Reads the service's version and the reference's example answers from the package; without a file there are none. Throws if
 * it is damaged.
 */
export function readPackageFiles(): { readonly version: string; readonly examples: ExampleAnswers } {
  const path = packageFile(...EXAMPLES_FILE);
  const examples = existsSync(path) ? parseExamples(readFileSync(path, 'utf8'), path) : {};
  return { version: packageVersion(), examples };
}

/** Parses and validates the example answers; `origin` names them in errors. */
export function parseExamples(json: string, origin: string): ExampleAnswers {
  return parseJson(json, origin, examplesSchema);
}
