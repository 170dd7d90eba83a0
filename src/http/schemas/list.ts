import { z } from 'zod';

/**
 * After this many invalid items the rest of a list is not checked: a body has room for more than a hundred thousand items,
 * and zod would spend half a second on creating an issue for each.
 */
const WRONG_ITEMS_MAX = 100;

interface ListForm {
  /** The fewest items. */
  readonly least?: number;
  /** The most items, for readers of the document only: the schema accepts more, where they get an answer of their own. */
  readonly maxItems?: number;
  readonly description?: string;
}

/** Schema of a list in a request's body. */
export function list<T>(item: z.ZodType<T>, { least = 0, ...about }: ListForm = {}) {
  const { $schema: _, ...items } = z.toJSONSchema(item, { io: 'input' });
  const untilWrong = (values: unknown[]): unknown[] => {
    let wrong = 0;
    const last = values.findIndex((value) => !item.safeParse(value).success && ++wrong === WRONG_ITEMS_MAX);
    return last < 0 ? values : values.slice(0, last + 1);
  };
  const given = least > 0 ? z.array(z.unknown()).min(least) : z.array(z.unknown());
  return given
    .transform(untilWrong)
    .pipe(z.array(item))
    .meta({ items, ...about });
}
