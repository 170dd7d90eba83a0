import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../../src/http/errors.js';
import { boolean, float, geoid, integer, latitude } from '../../../src/http/input/parameters.js';
import { validate } from '../../../src/http/input/validation.js';

/** The issues of one value at `["query","x"]` or `["body","x"]`; none where it is valid. */
function issuesOf(schema: z.ZodType, value: unknown, part: 'query' | 'body' = 'query') {
  const input = value === undefined ? {} : { x: value };
  try {
    validate(z.object({ [part]: z.object({ x: schema }) }), { [part]: input });
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.detail;
  }
}

const NOT_A_FLOAT = 'Input should be a valid number, unable to parse string as a number';
const NOT_AN_INT = 'Input should be a valid integer, unable to parse string as an integer';
const anyFloat = float(z.number());
const count = integer(z.number().gte(1).lte(100));

describe('a wrong URL parameter is reported with the type identifier and text that clients know', () => {
  test.each([
    ['a required one left out', latitude, undefined, 'missing', 'Field required'],
    ['a word for a number', latitude, 'north', 'float_parsing', NOT_A_FLOAT],
    ['an empty number', latitude, '', 'float_parsing', NOT_A_FLOAT],
    ['NaN', latitude, 'NaN', 'float_parsing', NOT_A_FLOAT],
    ['Infinity', latitude, '-Infinity', 'float_parsing', NOT_A_FLOAT],
    ['a number that overflows', latitude, '1e999', 'float_parsing', NOT_A_FLOAT],
    ['hexadecimal', latitude, '0x2d', 'float_parsing', NOT_A_FLOAT],
    ['two numbers', latitude, '1,5', 'float_parsing', NOT_A_FLOAT],
    ['a fraction for a whole number', count, '2.5', 'int_parsing', NOT_AN_INT],
    ['an exponent for a whole number', count, '1e1', 'int_parsing', NOT_AN_INT],
    ['an empty whole number', count, '', 'int_parsing', NOT_AN_INT],
    [
      'a word for a boolean',
      boolean(),
      'maybe',
      'bool_parsing',
      'Input should be a valid boolean: true or false, 1 or 0, yes or no, on or off',
    ],
    ['a latitude beyond the pole', latitude, '90.01', 'less_than_equal', 'Input should be less than or equal to 90'],
    ['below an inclusive bound', latitude, '-91', 'greater_than_equal', 'Input should be greater than or equal to -90'],
    ['at an exclusive lower bound', float(z.number().gt(0)), '0', 'greater_than', 'Input should be greater than 0'],
    ['at an exclusive upper bound', float(z.number().lt(5)), '5', 'less_than', 'Input should be less than 5'],
    [
      'a GEOID of ten digits',
      geoid,
      '2705302620',
      'string_pattern_mismatch',
      "String should match pattern '^\\d{11}$'",
    ],
    ['a text that is empty', z.string().min(1), '', 'string_too_short', 'String should have at least 1 character'],
    [
      'a text that is too short',
      z.string().min(2),
      'a',
      'string_too_short',
      'String should have at least 2 characters',
    ],
    [
      'a text that is too long',
      z.string().max(3),
      'abcd',
      'string_too_long',
      'String should have at most 3 characters',
    ],
    ['none of the choices', z.enum(['a', 'b', 'c']), 'd', 'enum', "Input should be 'a', 'b' or 'c'"],
    ['a broken URL', z.url(), 'no url', 'url_parsing', 'Input should be a valid http or https URL'],
    ['given twice', latitude, ['1', '2'], 'value_error', 'Value error, parameter given more than once'],
    ['a choice given twice', z.enum(['a']), ['a', 'a'], 'value_error', 'Value error, parameter given more than once'],
    ['a rule of its own', z.string().refine(() => false, 'odd'), 'x', 'value_error', 'Value error, odd'],
  ])('%s', (_, schema, value, type, msg) => {
    expect(issuesOf(schema, value)).toEqual([{ loc: ['query', 'x'], msg, type }]);
  });
});

describe('a wrong value in a body is reported in the same way', () => {
  test.each([
    ['a number for a text', z.string(), 5, 'string_type', 'Input should be a valid string'],
    ['a list for a text', z.string(), [], 'string_type', 'Input should be a valid string'],
    [
      'a list for a text, but not also its length',
      z.string().min(1),
      [],
      'string_type',
      'Input should be a valid string',
    ],
    ['a text for a number', z.number(), 'x', 'float_parsing', 'Input should be a valid number'],
    ['a fraction for a whole number', z.int(), 1.5, 'int_parsing', 'Input should be a valid integer'],
    ['a text for a boolean', z.boolean(), 'x', 'bool_parsing', 'Input should be a valid boolean'],
    ['a text for a list', z.array(z.string()), 'x', 'list_type', 'Input should be a valid list'],
    ['a text for an object', z.object({}), 'x', 'value_error', 'Value error, input should be a valid object'],
    [
      'a list that is empty',
      z.array(z.string()).min(1),
      [],
      'too_short',
      'List should have at least 1 item after validation, not 0',
    ],
    [
      'a list that is too long',
      z.array(z.string()).max(2),
      ['a', 'b', 'c'],
      'too_long',
      'List should have at most 2 items after validation, not 3',
    ],
  ])('%s', (_, schema, value, type, msg) => {
    expect(issuesOf(schema, value, 'body')).toEqual([{ loc: ['body', 'x'], msg, type }]);
  });

  test('an entry of a list is named by its position', () => {
    expect(issuesOf(z.array(z.string()), ['a', 1], 'body')).toMatchObject([
      { loc: ['body', 'x', 1], type: 'string_type' },
    ]);
  });
});

test('all issues of a request are reported at once, in the schema’s order', () => {
  const schema = z.object({ query: z.object({ lat: latitude, lng: latitude }) });
  expect(() => validate(schema, { query: { lat: 'x' } })).toThrow(
    expect.objectContaining({
      status: 422,
      detail: [expect.objectContaining({ type: 'float_parsing' }), expect.objectContaining({ type: 'missing' })],
    }),
  );
});

describe('what is a number to a person is one here', () => {
  test.each([
    ['45', 45],
    ['-93.2650', -93.265],
    ['+1', 1],
    [' 1 ', 1],
    ['.5', 0.5],
    ['5.', 5],
    ['1e2', 100],
    ['-0', -0],
  ])('%j', (text, value) => {
    expect(anyFloat.parse(text)).toBe(value);
  });

  test.each([
    ['25', 25],
    ['25.0', 25],
    ['+7', 7],
  ])('the whole number %j', (text, value) => {
    expect(count.parse(text)).toBe(value);
  });

  test.each(['true', 'TRUE', '1', 'yes', 'on'])('%j is true', (text) => {
    expect(boolean().parse(text)).toBe(true);
  });

  test.each(['false', 'False', '0', 'no', 'off'])('%j is false', (text) => {
    expect(boolean().parse(text)).toBe(false);
  });
});
