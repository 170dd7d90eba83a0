import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { RawInput } from '../../src/http/route.js';
import { OPERATIONS } from '../../src/http/routes/operations.js';
import { anyText } from '../support/any-text.js';

const ACCEPTING = OPERATIONS.flatMap(({ id, input, accept }) => (accept ? [{ id, input, accept }] : []));

/** Numbers as clients write them, well and badly. */
const anyNumber = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
  fc.double({ min: -200, max: 200, noNaN: true }).map((value) => value.toFixed(6)),
  fc.integer({ min: -2, max: 1_000_002 }).map(String),
  fc.constantFrom(
    '',
    ' 1',
    '+1',
    '-0',
    '0',
    '00',
    '1.',
    '.5',
    '1e1',
    '1.0',
    '50',
    '50.0001',
    '100',
    '101',
    '0x10',
    'NaN',
    '90',
    '-180',
  ),
  fc.tuple(fc.constantFrom('', '-', '+'), fc.stringMatching(/^[0-9]{1,20}$/)).map((parts) => parts.join('')),
);
const numberLike = (usual: string) => fc.oneof(fc.constant(usual), anyNumber);
const geoid = fc.oneof(
  fc.stringMatching(/^[0-9]{11}$/),
  fc.stringMatching(/^[0-9]{9,13}$/),
  fc.constantFrom('', '2705301100a', ' 27053011001'),
);
const given = <T>(value: fc.Arbitrary<T>) =>
  fc.option(fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: fc.tuple(value, value) }), {
    nil: undefined,
    freq: 2,
  });
const parameters = {
  lat: given(numberLike('38.9072')),
  lng: given(numberLike('-77.0369')),
  radius: given(numberLike('5')),
  limit: given(numberLike('25')),
  offset: given(numberLike('10')),
  geoid: given(geoid),
  geoid1: given(geoid),
  geoid2: given(geoid),
  compare_to: given(fc.constantFrom('county', 'nation', '')),
  address: given(fc.oneof(fc.constantFrom('', '1 Main St', 'x'.repeat(500), 'x'.repeat(501)), anyText())),
  narrative: given(fc.constantFrom('true', 'false', '')),
};
/** A request with some of these parameters. */
const requestWith = (query: Partial<typeof parameters>) =>
  fc.record({ query: fc.record(query), path: fc.record({ geoid }) }).map(
    ({ query, path }): RawInput => ({
      // A parameter that is not given is not there.
      query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as RawInput['query'],
      path,
    }),
  );
const raw = requestWith(parameters);

function parametersOf({ input }: Pick<(typeof ACCEPTING)[number], 'input'>): string[] {
  const asked = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties?.query;
  return typeof asked === 'object' ? Object.keys(asked.properties ?? {}) : [];
}

test('every parameter of what is accepted without the schema is tried here', () => {
  const tried = new Set(fc.sample(raw, 300).flatMap((request) => Object.keys(request.query)));
  for (const operation of ACCEPTING) {
    for (const name of parametersOf(operation)) expect(tried.has(name), `${operation.id}: ${name}`).toBe(true);
  }
  expect(tried.size).toBeGreaterThan(5);
});

test.each(ACCEPTING)(
  '$id: what is accepted without the schema is what the schema makes of it, field by field',
  ({ input, accept }) => {
    const known = parametersOf({ input });
    const own = Object.fromEntries(Object.entries(parameters).filter(([name]) => known.includes(name)));
    let accepted = 0;
    fc.assert(
      // With parameters of other operations, few are accepted.
      fc.property(fc.oneof(raw, requestWith(own)), (request) => {
        const quick = accept(request);
        if (quick === undefined) return;
        accepted++;
        const slow = input.safeParse(request);
        expect(slow.data).toStrictEqual(quick);
        // Answers are named by this text.
        expect(JSON.stringify(slow.data)).toBe(JSON.stringify(quick));
      }),
      { numRuns: 1000 },
    );
    expect(accepted).toBeGreaterThan(20);
  },
);

test.each([
  ['getContext', { lat: '38.9072', lng: '-77.0369' }],
  ['getContext', { address: '1 Main St, Sampleton, DE 19901' }],
  ['listNearbyTracts', { lat: '38.9072', lng: '-77.0369', radius: '5', limit: '25' }],
  ['rankTract', { geoid: '11001001704' }],
  ['getTrends', { geoid: '11001001704' }],
])('%s accepts what clients usually send', (id, query) => {
  const operation = ACCEPTING.find((candidate) => candidate.id === id);
  expect(operation?.accept({ query, path: {} })).toBeDefined();
});
