import { z } from 'zod';

/**
 * After this many invalid items the rest of a list is not checked: a body has room for more than a hundred thousand items,
 * and zod would spend half a second on creating an issue for each.
 */
const WRONG_ITEMS_MAX = 100;

/** Schema of a list in a request's body, with at least `least` items. */
export function list<T>(item: z.ZodType<T>, { least = 0, description }: { least?: number; description: string }) {
  const { $schema: _, ...items } = z.toJSONSchema(item, { io: 'input' });
  const untilWrong = (values: unknown[]): unknown[] => {
    let wrong = 0;
    const last = values.findIndex((value) => !item.safeParse(value).success && ++wrong === WRONG_ITEMS_MAX);
    return last < 0 ? values : values.slice(0, last + 1);
  };
  return z.array(z.unknown()).min(least).transform(untilWrong).pipe(z.array(item)).meta({ items, description });
}
