import type { z } from 'zod';
import { type ByteText, bytesOf } from '../../src/core/byte-text.js';
import type { comparisonSchema } from '../../src/http/schemas/comparisons.js';

/** What a comparison's body says, whatever the values. */
export function readComparison(body: ByteText): z.infer<typeof comparisonSchema> {
  return JSON.parse(bytesOf(body).toString('utf8'));
}
