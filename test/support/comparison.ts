import type { z } from 'zod';
import { type ByteText, bytesOf } from '../../src/core/byte-text.js';
import type { comparisonSchema } from '../../src/http/schemas/comparisons.js';

/** Parses the body of a comparison. */
export function readComparison(body: ByteText): z.infer<typeof comparisonSchema> {
  return JSON.parse(bytesOf(body).toString('utf8'));
}
