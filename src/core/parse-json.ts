import { z } from 'zod';

/**
 * Parses and validates JSON text. Throws an Error that names its `origin`, such as a file, if it is not JSON or not of the
 * schema.
 */
export function parseJson<T>(text: string, origin: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(jsonOf(text, origin));
  if (parsed.success) return parsed.data;
  throw new Error(`${origin}: ${z.prettifyError(parsed.error)}`);
}

function jsonOf(text: string, origin: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${origin} is not JSON: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
