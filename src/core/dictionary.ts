import { z } from 'zod';
import { parseJson } from './parse-json.js';

/** The dictionary's categories (SPEC 2.11), in the order in which they are listed. */
export const CATEGORIES = [
  'demographics',
  'vulnerability',
  'health_outcomes',
  'environmental',
  'composite',
  'identity',
] as const;
export type Category = (typeof CATEGORIES)[number];

const text = z.string().trim().min(1);

const fieldSchema = z
  .strictObject({
    /** Dotted path in a tract's record: `places_measures.diabetes`. */
    name: text,
    type: z.enum(['string', 'integer', 'float']),
    /** Agency, product, and table or column. */
    source: text,
    /** What exactly is measured, in which population, and how. */
    description: text,
    /** What the field is useful for in clinical care, and what it is not. */
    clinical_relevance: text,
    unit: text,
    /** The range that most US tracts lie in. */
    typical_range: text,
    example_value: z.union([z.number(), text]),
  })
  .refine(({ type, example_value }) => (type === 'string') === (typeof example_value === 'string'), {
    error: 'the example is not of the type',
    path: ['example_value'],
  });

const dictionarySchema = z.strictObject({
  categories: z
    .array(
      z.strictObject({
        category: z.enum(CATEGORIES),
        description: text,
        source: text,
        fields: z.array(fieldSchema).min(1),
      }),
    )
    .refine((list) => list.map(({ category }) => category).join() === CATEGORIES.join(), {
      error: `wanted are ${CATEGORIES.join(', ')}, in this order`,
    }),
});

/** The documentation of every field of a tract's record: `datasets/dictionary.json`. */
export type Dictionary = Readonly<z.infer<typeof dictionarySchema>>;

/** A field as responses show it (SPEC 2.11). */
export interface DictionaryField extends Readonly<z.infer<typeof fieldSchema>> {
  readonly category: Category;
}

/** The body of a dictionary response (SPEC 4.8). */
export interface DictionaryAnswer {
  /** Number of fields in the categories returned. */
  readonly total_fields: number;
  readonly categories: readonly {
    readonly category: Category;
    readonly description: string;
    readonly source: string;
    readonly fields: readonly DictionaryField[];
  }[];
}

/** Parses and validates a dictionary; `origin` names it in errors. */
export function parseDictionary(json: string, origin: string): Dictionary {
  return parseJson(json, origin, dictionarySchema);
}

/**
 * The dictionary, or only the `wanted` category. For a field's path, `datasetNote` gives what the dataset adds to the
 * field's source: vintages, and the states that they hold for.
 */
export function answerDictionary(
  { categories }: Dictionary,
  datasetNote: (path: string) => string | undefined,
  wanted?: Category,
): DictionaryAnswer {
  const shown = categories
    .filter(({ category }) => wanted === undefined || category === wanted)
    .map(({ category, description, source, fields }) => ({
      category,
      description,
      source,
      fields: fields.map(({ name, type, source: fieldSource, ...rest }) => ({
        name,
        type,
        source: [fieldSource, datasetNote(name)].filter((part) => part !== undefined).join(' '),
        category,
        ...rest,
      })),
    }));
  return { total_fields: shown.reduce((sum, { fields }) => sum + fields.length, 0), categories: shown };
}
