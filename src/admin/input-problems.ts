import type { z } from 'zod';

/** Describes an invalid input, in the words of the admin plane and its commands: `must not be empty`. */
export function describeProblem(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      if (isNumber(issue.origin))
        return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
      if (issue.minimum === 1 || issue.minimum === 1n) return 'must not be empty';
      return `must have at least ${issue.minimum} ${unitOf(issue.origin)}`;
    case 'too_big':
      if (isNumber(issue.origin))
        return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
      return `must have at most ${issue.maximum} ${unitOf(issue.origin)}`;
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has the wrong form';
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `has no field ${issue.keys.join(', ')}`;
    default:
      return 'is not valid';
  }
}

const isNumber = (origin: string): boolean => ['number', 'int', 'bigint'].includes(origin);
const unitOf = (origin: string): string => (origin === 'string' ? 'characters' : 'entries');

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'must be a time such as 2027-01-31T10:00:00Z',
  date: 'must be a date such as 2027-01-31',
  regex: 'must be an id or name as shown by the service',
};
