import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { METRICS } from '../../../src/core/metrics.js';
import { html, prose } from '../../../src/http/docs/html.js';
import { DETAILS } from '../../../src/http/error-details.js';
import { float } from '../../../src/http/input/parameters.js';
import { describeSchema, fieldsOf } from '../../../src/http/openapi/describe-schema.js';
import { buildDocument } from '../../../src/http/openapi/document.js';
import { curlLine, exampleRequest } from '../../../src/http/openapi/example-request.js';
import { parseExamples } from '../../../src/http/openapi/package-files.js';
import { walkOperations } from '../../../src/http/openapi/walk.js';
import { defineOperation } from '../../../src/http/operation.js';
import { metricValues } from '../../../src/http/schemas/values.js';
import { Tally } from '../../../src/load/intake/tally.js';
import { checkRange } from '../../../src/load/sources/value-range.js';
import { readDictionary } from '../../../src/query/dictionary.js';
import { parseCurl } from '../../support/curl.js';

const operation = defineOperation({
  id: 'getThing',
  tag: 'tracts',
  summary: 'A thing',
  description: 'One of them.',
  method: 'POST',
  path: '/v1/things/:name',
  access: 'key',
  body: 'json',
  input: z.object({
    path: z.object({ name: z.string() }),
    query: z.object({ size: float(z.number().gte(1).lt(9)).default(2), kind: z.string().optional() }),
    body: z.object({ note: z.string() }),
  }),
  success: { status: 200, description: 'It.', schema: z.strictObject({ name: z.string() }).meta({ id: 'Thing' }) },
  errors: { 404: { description: 'No thing has this name.', details: ['Gone.', 'Never was.'] } },
  example: { path: { name: "o'clock" }, query: 'size=3', body: { note: "it's & <b>" } },
});

const document = buildDocument({
  operations: [operation],
  dictionary: readDictionary(),
  examples: {},
  version: '1.2.3',
});
const [walked] = walkOperations(document);
if (!walked) throw new Error('no operation');

describe('the document', () => {
  test('says what parameters are read as, and which may be left out', () => {
    expect(walked.operation.parameters).toEqual([
      { name: 'name', in: 'path', required: true, schema: { type: 'string' }, example: "o'clock" },
      {
        name: 'size',
        in: 'query',
        required: false,
        schema: { type: 'number', format: 'double', minimum: 1, exclusiveMaximum: 9, default: 2 },
        example: 3,
      },
      { name: 'kind', in: 'query', required: false, schema: { type: 'string' } },
    ]);
  });

  test('refers to named objects as components', () => {
    expect(document.components.schemas.Thing).toMatchObject({ type: 'object', additionalProperties: false });
    expect(JSON.stringify(walked.operation.responses['200'])).toContain('{"$ref":"#/components/schemas/Thing"}');
  });

  test('lists what each kind of endpoint can answer', () => {
    expect(walked.answers.map(([status]) => status)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '413',
      '422',
      '429',
      '500',
      '503',
    ]);
  });

  test('says of each endpoint what its 404 means', () => {
    expect(walked.operation.responses['404']).toMatchObject({ description: 'No thing has this name.' });
  });

  test('speaks of rules in the 400 of an endpoint that has some, and of the URL in every 400', () => {
    const shared = walked.operation.responses['400'];
    expect(shared).toMatchObject({ description: 'The URL is malformed.' });
    for (const detail of [DETAILS.malformedUrl, DETAILS.unencodedUrl]) expect(JSON.stringify(shared)).toContain(detail);
    const operations = [{ ...operation, errors: { 400: ['Too many things.'] } } as const];
    const { paths } = buildDocument({ operations, dictionary: readDictionary(), examples: {}, version: '1' });
    const answer = paths['/v1/things/{name}']?.post?.responses['400'];
    expect(answer).toMatchObject({ description: 'The request breaks a rule, or its URL is malformed.' });
  });

  test('shows every detail that any endpoint’s 503 can have', () => {
    const { content = {} } = document.components.responses.Unavailable ?? {};
    const shown = Object.values(content['application/json']?.examples ?? {}).map(({ value }) => value);
    const details = [DETAILS.noDataset, DETAILS.unreadableDataset, DETAILS.busy];
    expect(shown).toEqual(details.map((detail) => ({ error: true, status_code: 503, detail })));
  });

  test('shows of a subscription’s 503 only its own causes, as it needs no dataset', () => {
    const answerOf = (own: Partial<typeof operation>) => {
      const operations = [{ ...operation, scope: 'webhooks', ...own } as const];
      const { paths } = buildDocument({ operations, dictionary: readDictionary(), examples: {}, version: '1' });
      return paths['/v1/things/{name}']?.post?.responses['503'];
    };
    expect(answerOf({})).toBeUndefined();
    const answer = answerOf({ errors: { 503: { description: 'There is no ink.', details: ['No ink.'] } } });
    expect(answer).toMatchObject({
      description: 'There is no ink.',
      content: { 'application/json': { example: { error: true, status_code: 503, detail: 'No ink.' } } },
    });
    expect(answer).toHaveProperty(['headers', 'Retry-After']);
  });

  test('makes a request that a shell reads back as it was', () => {
    const request = exampleRequest(walked.path, walked.method, walked.operation);
    expect(parseCurl(curlLine(request, 'http://x'), { API_KEY: 'k' })).toEqual({
      url: "http://x/v1/things/o'clock?size=3",
      method: 'POST',
      headers: { 'X-API-Key': 'k', 'Content-Type': 'application/json' },
      body: JSON.stringify({ note: "it's & <b>" }),
    });
  });
});

describe('HTML', () => {
  test('escapes whatever is put into it, and nothing twice', () => {
    expect(html`<p title="${'"\''}">${'<b>&'}${html`<i>${'>'}</i>`}</p>`.text).toBe(
      '<p title="&quot;&#39;">&lt;b&gt;&amp;<i>&gt;</i></p>',
    );
  });

  test('makes code, paragraphs and lists of the little Markdown that texts have', () => {
    expect(prose('One `<a>`.\n\n- two\n- `three`').text).toBe(
      '<p>One <code>&lt;a&gt;</code>.</p><ul><li>two</li><li><code>three</code></li></ul>',
    );
  });
});

test.each(METRICS)('the schema of $path has every value that is loaded', (metric) => {
  const column = new Tally('acs', 'a table').column(metric.path);
  const schema = z.strictObject(metricValues([metric], ({ path }) => path));
  const values = [-1520, -1, 0, 1, 100, 250_001, 1_000_000];
  for (const value of values.filter((each) => !Number.isNaN(checkRange(metric.path, each, column, '')))) {
    expect(schema.safeParse({ [metric.path]: value }).success, String(value)).toBe(true);
  }
});

test.each([
  ['no JSON', '{"getContext": ', /^examples\.json is not JSON: /],
  ['no object', '[]', /^examples\.json: /],
])('example answers that are %s are refused with the name of their file', (_, json, message) => {
  expect(() => parseExamples(json, 'examples.json')).toThrow(message);
});

describe('the description of a schema in words', () => {
  test.each([
    [{ minItems: 1 }, 'list of string, at least 1 item'],
    [{ minItems: 2, maxItems: 2 }, 'list of string, exactly 2 items'],
    [{ minItems: 1, maxItems: 50 }, 'list of string, 1 to 50 items'],
    [{ maxItems: 1 }, 'list of string, at most 1 item'],
    [{}, 'list of string'],
  ])('tells how long a list is: %j', (lengths, words) => {
    expect(describeSchema({ type: 'array', items: { type: 'string' }, ...lengths })).toBe(words);
  });

  test('lists the fields of objects inside that have no name, and not those of objects that have one', () => {
    const leaf = { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] };
    const whole = {
      properties: {
        cache: leaf,
        sources: { type: 'array', items: leaf },
        tract: { $ref: '#/components/schemas/Tract' },
      },
      required: ['cache'],
    };
    expect(fieldsOf(whole).map(({ name, isOptional }) => [name, isOptional])).toEqual([
      ['cache', false],
      ['cache.size', false],
      ['sources', true],
      ['sources[].size', false],
      ['tract', true],
    ]);
  });
});
