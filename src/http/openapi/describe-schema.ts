import { counted } from '../../core/counted.js';
import type { JsonSchema } from './model.js';
import { DOUBLE } from './schema-collector.js';

/** A schema's type and bounds in a few words for readers: `number, -90 to 90, 5 unless given`. */
export function describeSchema(schema: JsonSchema): string {
  const { enum: values, format, default: usual } = schema;
  return [
    typeName(schema),
    ...(values ? [`one of ${values.map(String).join(', ')}`] : []),
    // A nullable schema has its bounds in the alternative that is not null.
    ...[schema, ...(schema.anyOf ?? [])].flatMap(bounds),
    ...(format && format !== DOUBLE ? [format] : []),
    ...(usual === undefined ? [] : [`${String(usual)} unless given`]),
  ].join(', ');
}

/** The type of a schema's values: `string`, `number or null`, `list of Tract`. */
export function typeName(schema: JsonSchema): string {
  const { $ref, type, anyOf, items, additionalProperties: entries, const: only } = schema;
  if ($ref) return refName($ref);
  if (anyOf) return anyOf.map(typeName).join(' or ');
  if (items) return `list of ${typeName(items)}`;
  if (typeof entries === 'object') return `map to ${typeName(entries)}`;
  if (only !== undefined) return JSON.stringify(only);
  return Array.isArray(type) ? type.join(' or ') : (type ?? 'any');
}

/** A field of an object, for a line or a row of its own. */
export interface DescribedField {
  /** The path from the object: `cache.hits`, `sources[].vintage`. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isOptional: boolean;
}

/** An object's fields, each followed by those of the object without a name that it holds: no other section has them. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix = ''): DescribedField[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`;
    const inside = schema.items ? fieldsOf(schema.items, `${name}[].`) : fieldsOf(schema, `${name}.`);
    return [{ name, schema, isOptional: !required.includes(key) }, ...inside];
  });
}

/** The name of a referenced component. */
export function refName($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function lengthOfList({ minItems = 0, maxItems }: JsonSchema): string[] {
  const items = (count: number): string => counted(count, 'item');
  if (minItems === maxItems) return [`exactly ${items(minItems)}`];
  if (maxItems !== undefined)
    return [minItems > 0 ? `${minItems} to ${items(maxItems)}` : `at most ${items(maxItems)}`];
  return minItems > 0 ? [`at least ${items(minItems)}`] : [];
}

function bounds(schema: JsonSchema): string[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, pattern, format } = schema;
  const words: string[] = [];
  if (minimum !== undefined && maximum !== undefined) words.push(`${minimum} to ${maximum}`);
  else if (minimum !== undefined) words.push(`at least ${minimum}`);
  if (exclusiveMinimum !== undefined) words.push(`above ${exclusiveMinimum}`);
  if (maximum !== undefined && minimum === undefined) words.push(`at most ${maximum}`);
  if (minLength !== undefined && maxLength !== undefined) words.push(`${minLength} to ${maxLength} characters`);
  else if (maxLength !== undefined) words.push(`at most ${maxLength} characters`);
  words.push(...lengthOfList(schema));
  // A named format says more than its pattern.
  if (pattern !== undefined && format === undefined) words.push(`pattern ${pattern}`);
  return words;
}
