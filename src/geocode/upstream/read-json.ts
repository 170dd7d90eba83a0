import type { z } from 'zod';

/** Reads a JSON answer of this shape; undefined for any other. */
export function jsonOf<T>(schema: z.ZodType<T>): (body: string) => T | undefined {
  return (body) => {
    try {
      return schema.safeParse(JSON.parse(body)).data;
    } catch {
      return undefined;
    }
  };
}
