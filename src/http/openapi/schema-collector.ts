import { z } from 'zod';
import type { Dictionary } from '../../core/dictionary.js';
import { DICTIONARY_KEY } from '../schemas/values.js';
import type { JsonSchema } from './model.js';

/** Turns zod schemas into JSON Schema, and gathers those that have an `id` as components. */
export interface SchemaCollector {
  /** What an answer's body is. */
  ofAnswer(schema: z.ZodType): JsonSchema;
  /** What a request's body may be. */
  ofBody(schema: z.ZodType): JsonSchema;
  /** An object of parameters: what their texts are read as, and which of them are needed. */
  ofParameters(schema: z.ZodType): JsonSchema;
  /** By id. */
  components(): Record<string, JsonSchema>;
}

const COMPONENTS = '#/components/schemas/';
const DEFINITIONS = '#/$defs/';

/** zod states the range of exact integers where a schema has no bounds of its own. */
const UNBOUNDED: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** Takes the texts and examples of a tract's fields from the dictionary. */
export function createSchemaCollector(dictionary: Dictionary): SchemaCollector {
  const fields = new Map(
    dictionary.categories.flatMap((category) => category.fields).map((field) => [field.name, field]),
  );
  const components: Record<string, JsonSchema> = {};

  const convert = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    // In a property, a schema with an id is always a reference.
    const { properties, $defs } = z.toJSONSchema(z.object({ root: schema }), {
      target: 'draft-2020-12',
      io,
      unrepresentable: 'any',
    });
    for (const [id, definition] of Object.entries($defs ?? {})) components[id] = polishSchema(definition);
    return polishSchema(properties?.root);
  };

  function polish(schema: Record<string, unknown>): JsonSchema {
    const polished: JsonSchema = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'id' || keyword === DICTIONARY_KEY || UNBOUNDED.includes(value)) continue;
      polished[keyword] = polishKeyword(keyword, value);
    }
    const field = fields.get(String(schema[DICTIONARY_KEY]));
    if (!field) return polished;
    return { ...polished, description: `${field.description} Unit: ${field.unit}.`, examples: [field.example_value] };
  }

  /** Only where a keyword holds schemas is anything to be done: what is listed in examples is data. */
  function polishKeyword(keyword: string, value: unknown): unknown {
    if (keyword === '$ref' && typeof value === 'string') return value.replace(DEFINITIONS, COMPONENTS);
    if (keyword === 'properties' && isRecord(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, polishSchema(schema)]));
    }
    if (keyword === 'anyOf' && Array.isArray(value)) return value.map(polishSchema);
    return (keyword === 'items' || keyword === 'additionalProperties') && isRecord(value) ? polish(value) : value;
  }

  /** zod gives no `true` or `false` where a schema is expected here. */
  function polishSchema(value: unknown): JsonSchema {
    return isRecord(value) ? polish(value) : {};
  }

  return {
    ofAnswer: (schema) => convert(schema, 'output'),
    ofBody: (schema) => convert(schema, 'input'),
    ofParameters: (schema) => {
      const { required: _, ...read } = convert(schema, 'output');
      const { required } = convert(schema, 'input');
      return { ...read, required: required ?? [] };
    },
    components: () => components,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
