import { z } from 'zod';
import type { Dictionary } from '../../core/dictionary.js';
import { DICTIONARY_KEY } from '../schemas/values.js';
import type { JsonSchema } from './model.js';

/** Converts zod schemas to JSON Schema, and collects those that have an `id` as components. */
export interface SchemaCollector {
  /** Converts the schema of an answer's body. */
  ofAnswer(schema: z.ZodType): JsonSchema;
  /** Converts the schema of a request's body. */
  ofBody(schema: z.ZodType): JsonSchema;
  /** Converts an object schema of parameters: the types that their texts are parsed to, and which of them are required. */
  ofParameters(schema: z.ZodType): JsonSchema;
  /** The collected components, by id. */
  components(): Record<string, JsonSchema>;
}

const COMPONENTS = '#/components/schemas/';
const DEFINITIONS = '#/$defs/';

/** zod gives integers without bounds of their own the range of safe integers, which says nothing to a reader. */
const UNBOUNDED: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** The format of each number that is no integer. */
export const DOUBLE = 'double';

/** The descriptions and examples of a tract's fields are taken from the dictionary. */
export function createSchemaCollector(dictionary: Dictionary): SchemaCollector {
  const fields = new Map(
    dictionary.categories.flatMap((category) => category.fields).map((field) => [field.name, field]),
  );
  const components: Record<string, JsonSchema> = {};

  const convert = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    // Wrapped in an object, because only in a property is a schema with an id always a reference.
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
    // Some generators of clients, for Go for one, read a number without a format into 32 bits: enough to move a point by
    // half a meter.
    if (schema.type === 'number') polished.format = DOUBLE;
    const field = fields.get(String(schema[DICTIONARY_KEY]));
    if (!field) return polished;
    return { ...polished, description: `${field.description} Unit: ${field.unit}.`, examples: [field.example_value] };
  }

  /** Polishes the schemas inside of a keyword's value. Other values, such as those of `examples`, are data. */
  function polishKeyword(keyword: string, value: unknown): unknown {
    if (keyword === '$ref' && typeof value === 'string') return value.replace(DEFINITIONS, COMPONENTS);
    if (keyword === 'properties' && isRecord(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, polishSchema(schema)]));
    }
    if (keyword === 'anyOf' && Array.isArray(value)) return value.map(polishSchema);
    return (keyword === 'items' || keyword === 'additionalProperties') && isRecord(value) ? polish(value) : value;
  }

  /** `true` and `false` would also be schemas, but zod does not produce them in these places. */
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
