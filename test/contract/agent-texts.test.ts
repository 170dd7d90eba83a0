import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../src/geocode/parse/parse-address.js';
import { tractSchema } from '../../src/http/schemas/tract.js';
import { packageFile } from '../../src/platform/package-root.js';
import { SETTINGS } from '../../src/settings/settings.js';
import { EVENTS, THRESHOLD_OPERATORS } from '../../src/webhooks/subscription.js';
import { startContract } from '../support/contract.js';
import { parseCurl } from '../support/curl.js';
import { demoDataset } from '../support/demo-dataset.js';
import { type MarkdownExample, markdownExamples } from '../support/markdown-examples.js';
import { startService, TEST_KEY } from '../support/service-process.js';

const contract = startContract();

/** Where a field's value is another one each time; its form is compared all the same. */
const PASSING: ReadonlySet<string> = new Set([
  'created_at',
  'id',
  'cache',
  'status_codes',
  'uptime_seconds',
  'latency_ms',
]);
const COUNTED = /\/(?:health|metrics)$/;

/** Sends what a curl command sends, to the service wherever it is. */
async function run({ command }: MarkdownExample, base: string) {
  const { url, ...init } = parseCurl(command.replaceAll('<key>', TEST_KEY), { API_KEY: TEST_KEY });
  const { pathname, search } = new URL(url);
  const response = await fetch(`${base}${pathname}${search}`, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { pathname, status: response.status, body: isJson ? JSON.parse(text) : text };
}

/** A value's form: the types of all that is in it. Null may stand for any. */
function expectSameForm(shown: unknown, real: unknown): void {
  if (shown === null || real === null) return;
  expect(typeof real).toBe(typeof shown);
  if (typeof shown !== 'object' || typeof real !== 'object') return;
  expect(Array.isArray(real)).toBe(Array.isArray(shown));
  if (Array.isArray(shown) && Array.isArray(real)) {
    if (shown.length > 0 && real.length > 0) expectSameForm(shown[0], real[0]);
    return;
  }
  for (const [key, value] of Object.entries(shown)) {
    // A shortened example says with … that there is more.
    if (key !== '…') expectSameForm(value, Reflect.get(real, key));
  }
}

/** The real value, with what passes as it is shown. */
function comparable(shown: unknown, real: unknown, key = ''): unknown {
  if (PASSING.has(key)) return shown;
  if (Array.isArray(shown) && Array.isArray(real)) return real.map((value, at) => comparable(shown[at], value));
  if (!isObject(shown) || !isObject(real)) return real;
  return Object.fromEntries(Object.entries(real).map(([name, value]) => [name, comparable(shown[name], value, name)]));
}

/** An example that is shortened, without the signs of that, and without what depends on the states that are loaded. */
function steadyPart(shown: unknown): unknown {
  return JSON.parse(JSON.stringify(shown, (key, value) => (key === '…' || key === 'sdoh_index' ? undefined : value)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOf = async (path: string): Promise<string> => (await fetch(`${contract.service.url}${path}`)).text();

describe('GET /llms.txt', () => {
  test('has the form of llmstxt.org: one title, a summary, sections of links that lead somewhere', async () => {
    const text = await textOf('/llms.txt');
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines[0]).toMatch(/^# \S/);
    expect(lines[1]).toMatch(/^> \S/);
    expect(lines.filter((line) => line.startsWith('# '))).toHaveLength(1);
    const sections = text.split(/\n## /).slice(1);
    expect(sections.length).toBeGreaterThan(3);
    for (const section of sections) expect(section).toMatch(/\n- \[[^\]]+\]\(http[^)]+\): \S/);
    const links = new Set([...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, url]) => url ?? ''));
    for (const url of links) expect((await fetch(url)).status).toBe(200);
  });

  test('names every endpoint of the document', async () => {
    const text = await textOf('/llms.txt');
    for (const path of Object.keys(contract.document.paths)) expect(text).toContain(` ${path}]`);
  });

  test('its examples work', async () => {
    const examples = markdownExamples(await textOf('/llms.txt'));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect((await run(example, contract.service.url)).status).toBe(200);
  });
});

describe('GET /llms-full.txt', () => {
  test('has an example for every endpoint, and each is answered as shown', async () => {
    const examples = markdownExamples(await textOf('/llms-full.txt'));
    const endpoints = Object.values(contract.document.paths).flatMap((methods) => Object.keys(methods));
    expect(examples).toHaveLength(endpoints.length);
    for (const example of examples) {
      const { pathname, status, body } = await run(example, contract.service.url);
      expect([example.command, status]).toEqual([example.command, example.status]);
      if (example.answer === undefined) continue;
      expectSameForm(example.answer, body);
      if (!COUNTED.test(pathname)) expect(comparable(example.answer, body)).toEqual(example.answer);
    }
  });

  test('leaves no object without its fields: how old a source is, what an average consists of', async () => {
    const text = await textOf('/llms-full.txt');
    expect(text).toContain('\n- `age_days` (integer or null, at least 0): Since the end of the vintage');
    expect(text).toContain('\n- `center.lat` (number)');
    for (const [, name = ''] of text.matchAll(/^- `([^`]+)` \((?:list of )?object[,)]/gm)) {
      expect(text).toMatch(new RegExp(`^- \`${name.replaceAll('.', '\\.')}(?:\\[\\])?\\.`, 'm'));
    }
  });

  test('describes every parameter and every object of the document', async () => {
    const text = await textOf('/llms-full.txt');
    for (const name of Object.keys(contract.document.components.schemas)) expect(text).toContain(`\n### ${name}\n`);
    for (const methods of Object.values(contract.document.paths)) {
      for (const { parameters = [] } of Object.values(methods)) {
        for (const { name, in: where } of parameters) expect(text).toContain(`- \`${name}\` (${where}, `);
      }
    }
  });
});

describe('what /llms-full.txt says to receivers', () => {
  const section = async (heading: string): Promise<string> =>
    (await textOf('/llms-full.txt')).split(`\n${heading}\n`)[1]?.split(/\n#{2,3} /)[0] ?? '';

  test.each(EVENTS)('its example of %s is signed as it says', async (event) => {
    const text = await section(`### ${event}`);
    const secret = /with the secret `([^`]+)`/.exec(text)?.[1] ?? '';
    const body = /```json\n(.+)\n```/.exec(text)?.[1] ?? '';
    const shown = /```http\n([\s\S]+?)\n```/.exec(text)?.[1] ?? '';
    const headers = Object.fromEntries(shown.split('\n').map((line) => line.split(': ')));
    expect(JSON.parse(body)).toMatchObject({ event });
    const hex = createHmac('sha256', secret).update(body).digest('hex');
    expect(headers['X-Webhook-Signature']).toBe(`sha256=${hex}`);
    const { 'webhook-id': id = '', 'webhook-timestamp': seconds = '' } = headers;
    const signedAt = new Date(Number(seconds) * 1000);
    expect(new Webhook(secret, { format: 'raw' }).sign(id, signedAt, body)).toBe(headers['webhook-signature']);
  });

  test('tells attempts, what is retried, the order, duplicates, pauses and what a signature covers', async () => {
    const text = await section('## Deliveries');
    for (const part of [
      'Any 2xx within 10 s acknowledges',
      '5xx, network errors and timeouts are retried: 3 attempts in all, the second after 1 s and the third 2 s later.',
      'ascending GEOID',
      'with the same `webhook-id` and body',
      'HMAC-SHA256 of the raw body in lowercase hexadecimal',
      '`<webhook-id>.<webhook-timestamp>.<raw body>`',
      'pauses for 10 s',
      'after 10 in a row, or with 1,000 undelivered events kept, it stays paused',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('spells out what a subscription takes: the secret’s length, the filters, thresholds', async () => {
    expect(await section('### POST /v1/webhooks')).toContain(
      '- `secret` (string or null, 1 to 256 characters, optional)',
    );
    const filters = await section('### Filters');
    for (const key of ['state_fips', 'geoids', 'thresholds']) expect(filters).toContain(`- \`${key}\` (`);
    expect(filters.match(/An empty list filters nothing\./g)).toHaveLength(2);
    expect(filters).toContain('`{"poverty_rate": {"operator": ">=", "value": 20}}`. A bare number means `>`.');
    expect(await section('### Threshold')).toContain(`one of ${THRESHOLD_OPERATORS.join(', ')}`);
  });
});

test('the texts say why a value or an address is missing, and how to tell that the dataset changed', async () => {
  const text = await textOf('/llms-full.txt');
  expect(text).toContain('the `source` of its entry in GET /v1/dictionary names the loaded vintages with their states');
  expect(text).toContain('Why an address is not matched, POST /v1/batch says.');
  expect(text).toContain('`X-Dataset-Generation` names the dataset that an answer comes from.');
});

test('the texts name every reason that a batch can give for an address without a tract', async () => {
  const reasons = [
    'Address could not be matched.',
    'Address could not be matched: it has no house number with a street behind it.',
    'Address could not be matched: it has neither a ZIP code nor a state.',
    'Address could not be matched: it holds several addresses.',
    'Address could not be matched: it is empty.',
    'Address could not be matched: it has more than 500 characters.',
    'Address could not be matched: no address ranges are loaded for its state or ZIP code.',
    'Address cannot be placed: it is a post office box or the like, which has no place on the ground.',
    'Geocoder unavailable.',
    'No census tract found for this location',
  ];
  const { description = '' } = contract.document.paths['/v1/batch']?.post ?? {};
  for (const text of [await textOf('/llms-full.txt'), description]) {
    for (const reason of reasons) expect(text).toContain(`\`${reason}\``);
    expect(text).toContain('`Address is ambiguous: it matches places in different census tracts.');
  }
});

test('the texts say that 503 has Retry-After, too', async () => {
  expect(await textOf('/llms.txt')).toContain(
    'On 429, and on 503 below /v1, wait for the seconds given in Retry-After.',
  );
  expect(await textOf('/llms-full.txt')).toContain('a 429 and every 503 below `/v1` also have `Retry-After`');
});

test('the texts say that whole sections of a record can be null', async () => {
  const { svi_themes, places_measures, epa_data } = tractSchema.shape;
  for (const section of [svi_themes, places_measures, epa_data]) expect(section.safeParse(null).success).toBe(true);
  expect(await textOf('/llms-full.txt')).toContain(
    '`svi_themes`, `places_measures` and `epa_data` are `null` as a whole.',
  );
});

test('the texts name what a GET answers without an ETag', async () => {
  const untagged = [];
  for (const path of ['/v1/webhooks', '/health', '/metrics', '/v1/stats', '/llms.txt']) {
    const { headers } = await fetch(`${contract.service.url}${path}`, { headers: { 'X-API-Key': TEST_KEY } });
    if (!headers.has('etag')) untagged.push(path);
  }
  expect(untagged).toEqual(['/v1/webhooks', '/health', '/metrics']);
  expect(await textOf('/llms-full.txt')).toContain(
    'GET answers with data and texts carry an `ETag`, except subscriptions, /health, /metrics, and those with a narrative',
  );
});

test('the texts say that the change of incomes over the years includes inflation', async () => {
  expect(await textOf('/llms-full.txt')).toMatch(/Incomes are in dollars of the year .* includes inflation\./);
});

test('the texts say by which GEOIDs Connecticut’s tracts are known', async () => {
  for (const text of [await textOf('/llms-full.txt'), await textOf('/docs'), contract.document.info.description]) {
    expect(text).toMatch(/Connecticut.+s have the GEOIDs .* planning regions .* instead of its former counties/);
  }
});

test('the texts say that an address may be a corner', async () => {
  expect(parseAddress('Main St & 1st Ave, Dover, DE')).toMatchObject({ kind: 'crossing' });
  expect(await textOf('/llms-full.txt')).toMatch(/`address` .* two streets that meet \(`Main St & 1st Ave`\)/);
});

test('the texts name the default rate limit, and 405', async () => {
  const { rateLimitMax, rateLimitWindowSeconds } = SETTINGS;
  const limit = `${rateLimitMax.fallback} requests in any ${rateLimitWindowSeconds.fallback} seconds`;
  for (const text of [await textOf('/llms-full.txt'), contract.document.info.description]) {
    expect(text).toContain(limit);
    expect(text).toMatch(/unsupported methods 405 with `Allow`/);
  }
});

test('README’s examples are answered as shown, but for what depends on the states loaded', async () => {
  const examples = markdownExamples(readFileSync(packageFile('README.md'), 'utf8'));
  expect(examples.length).toBeGreaterThan(0);
  // Minnesota, which holds the examples' point.
  const service = await startService(await demoDataset(['27']));
  try {
    for (const example of examples) {
      const { status, body } = await run(example, service.url);
      expect([200, 201]).toContain(status);
      if (example.answer === undefined) continue;
      expectSameForm(example.answer, body);
      expect(body).toMatchObject(Object(steadyPart(example.answer)));
    }
  } finally {
    service.signal('SIGTERM');
    await service.exited;
  }
});
