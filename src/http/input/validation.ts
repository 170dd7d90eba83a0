import type { z } from 'zod';
import { counted } from '../../core/counted.js';
import { joinWithOr } from '../../core/join-list.js';
import { ApiError } from '../errors.js';
import type { IssueType, ValidationIssue } from './validation-issue.js';

/** Limits the answer to a body with thousands of invalid entries. */
const ISSUES_MAX = 100;

/** The `type` and `msg` of an issue. */
type Wording = readonly [type: IssueType, msg: string];

/**
 * Validates a request's parts (`{query, path, body}`) against a route's schema and returns the parsed values.
 * Throws an {@link ApiError} with the first hundred issues.
 */
export function validate<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const found = result.error.issues
    .slice(0, 2 * ISSUES_MAX)
    .flatMap(ofMeantForm)
    .flatMap(byKey);
  const issues = found.filter(isNoSequel).slice(0, ISSUES_MAX);
  throw new ApiError(
    'validation',
    issues.map((issue) => toValidationIssue(issue, input)),
  );
}

function toValidationIssue(issue: z.core.$ZodIssue, input: unknown): ValidationIssue {
  const loc = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const [type, msg] = wordingOf(issue, valueAt(input, issue.path), loc[0] === 'query');
  return { loc, msg, type };
}

/** Replaces the issue of a union by those of the alternative with the deepest issue, presumably the one that was meant. */
function ofMeantForm(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const depth = (form: readonly z.core.$ZodIssue[]): number => Math.max(...form.map(({ path }) => path.length));
  const [meant] = issue.errors.toSorted((a, b) => depth(b) - depth(a));
  if (!meant) return [issue];
  return meant.flatMap((inner) => ofMeantForm({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** Splits an issue about several unknown keys into one for each, located at the key. */
function byKey(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.slice(0, ISSUES_MAX).map((key) => ({ ...issue, keys: [key], path: [...issue.path, key] }));
}

/** False for an issue that merely follows from a wrong type: zod also checks the length of a list that should be a text. */
function isNoSequel({ path }: z.core.$ZodIssue, at: number, issues: readonly z.core.$ZodIssue[]): boolean {
  const before = issues[at - 1];
  const isSamePlace = before?.path.length === path.length && before.path.every((step, depth) => step === path[depth]);
  return !(isSamePlace && before.code === 'invalid_type');
}

/** The value that an issue is about, which zod leaves out of its issues. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

const MISSING: Wording = ['missing', 'Field required'];
/** For a list in the query: its values are texts, and only a parameter that is given twice becomes a list. */
const TWICE: Wording = ['value_error', 'Value error, parameter given more than once'];

function wordingOf(issue: z.core.$ZodIssue, value: unknown, inQuery: boolean): Wording {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return MISSING;
      if (inQuery && Array.isArray(value)) return TWICE;
      return wrongType(issue.expected);
    case 'too_small':
      return tooSmall(issue, value);
    case 'too_big':
      return tooBig(issue, value);
    case 'invalid_format':
      return wrongFormat(issue);
    case 'invalid_value':
      if (value === undefined) return MISSING;
      if (inQuery && Array.isArray(value)) return TWICE;
      return ['enum', `Input should be ${joinWithOr(issue.values.map((value) => `'${String(value)}'`))}`];
    case 'unrecognized_keys':
      return ['value_error', `Value error, ${issue.message}`];
    case 'custom':
      return custom(issue);
    default:
      return ['value_error', `Value error, ${issue.message}`];
  }
}

function wrongType(expected: string): Wording {
  switch (expected) {
    case 'string':
      return ['string_type', 'Input should be a valid string'];
    case 'number':
      return ['float_parsing', 'Input should be a valid number'];
    case 'int':
      return ['int_parsing', 'Input should be a valid integer'];
    case 'boolean':
      return ['bool_parsing', 'Input should be a valid boolean'];
    case 'array':
      return ['list_type', 'Input should be a valid list'];
    default:
      return ['value_error', 'Value error, input should be a valid object'];
  }
}

function tooSmall(issue: z.core.$ZodIssueTooSmall, value: unknown): Wording {
  const least = Number(issue.minimum);
  if (issue.origin === 'string')
    return ['string_too_short', `String should have at least ${counted(least, 'character')}`];
  if (issue.origin === 'array')
    return ['too_short', `List should have at least ${items(least)}, not ${lengthOf(value)}`];
  return issue.inclusive
    ? ['greater_than_equal', `Input should be greater than or equal to ${least}`]
    : ['greater_than', `Input should be greater than ${least}`];
}

function tooBig(issue: z.core.$ZodIssueTooBig, value: unknown): Wording {
  const most = Number(issue.maximum);
  if (issue.origin === 'string') return ['string_too_long', `String should have at most ${counted(most, 'character')}`];
  if (issue.origin === 'array') return ['too_long', `List should have at most ${items(most)}, not ${lengthOf(value)}`];
  return issue.inclusive
    ? ['less_than_equal', `Input should be less than or equal to ${most}`]
    : ['less_than', `Input should be less than ${most}`];
}

function wrongFormat(issue: z.core.$ZodIssueInvalidStringFormat): Wording {
  if (issue.format === 'url') return ['url_parsing', 'Input should be a valid http or https URL'];
  // zod reports the pattern with its slashes.
  const pattern = issue.pattern?.replace(/^\/(.*)\/[a-z]*$/s, '$1');
  return [
    'string_pattern_mismatch',
    pattern ? `String should match pattern '${pattern}'` : 'String has the wrong form',
  ];
}

/** The messages of custom issues: a text that cannot be parsed, or a parameter that is required because of another one. */
const PARSING = {
  missing: 'Field required',
  float_parsing: 'Input should be a valid number, unable to parse string as a number',
  int_parsing: 'Input should be a valid integer, unable to parse string as an integer',
  bool_parsing: 'Input should be a valid boolean: true or false, 1 or 0, yes or no, on or off',
} as const;
export type ParsingIssueType = keyof typeof PARSING;

/** The `params` by which a schema gives its custom issue one of the types above. */
export function parsingIssue(type: ParsingIssueType): { readonly type: ParsingIssueType } {
  return { type };
}

function custom(issue: z.core.$ZodIssueCustom): Wording {
  const type: unknown = issue.params?.type;
  if (isParsingIssueType(type)) return [type, PARSING[type]];
  return ['value_error', `Value error, ${issue.message}`];
}

function isParsingIssueType(type: unknown): type is ParsingIssueType {
  return typeof type === 'string' && Object.hasOwn(PARSING, type);
}

const items = (count: number): string => `${counted(count, 'item')} after validation`;
const lengthOf = (value: unknown): string => String(Array.isArray(value) ? value.length : 0);
