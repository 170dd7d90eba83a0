import type { z } from 'zod';

/** A reader of JSON answers of this shape; it returns undefined for any other. */
export function jsonOf<T>(schema: z.ZodType<T>): (body: string) => T | undefined {
  return (body) => {
    try {
      return schema.safeParse(JSON.parse(body)).data;
    } catch {
      return undefined;
    }
  };
}
