import { describe, expect, test } from 'vitest';
import { exampleAnswer, walkOperations } from '../../src/http/openapi/walk.js';
import { startContract } from '../support/contract.js';
import { createDocumentValidator } from '../support/document-validator.js';
import { type CallResult, callEveryExample } from '../support/example-calls.js';
import { TEST_KEY } from '../support/service-process.js';

const contract = startContract();

/** The document itself would be an example in itself. */
const NOT_KEPT: ReadonlySet<string> = new Set(['getOpenapiDocument']);

/** What differs from one run to the next, by its key, and what the reference shows in its place. */
const PASSING: Readonly<Record<string, unknown>> = {
  created_at: '2026-01-31T12:00:00.000+00:00',
  uptime_seconds: 3600.5,
  p50: 0.4,
  p90: 1.2,
  p95: 1.9,
  p99: 6.1,
  age_days: 700,
};

function steady(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (key, value) => (Object.hasOwn(PASSING, key) ? PASSING[key] : value)));
}

describe('the examples in the reference', () => {
  test('are what the service answers to them', async () => {
    const results = await callEveryExample(contract.document, { url: contract.service.url, key: TEST_KEY });
    expect(results.map(({ id, status }) => [id, String(status)])).toEqual(
      results.map(({ id, documented }) => [id, documented.status]),
    );
    await expect(goldenText(results)).toMatchFileSnapshot('../../datasets/api-examples.json');
  });

  test('are valid by the document that shows them', () => {
    const validator = createDocumentValidator(contract.document);
    const shown = walkOperations(contract.document).map((walked) => ({ walked, ...exampleAnswer(walked) }));
    const kept = shown.filter(({ body }) => body !== undefined);
    expect(kept.length).toBeGreaterThan(15);
    for (const { walked, status, body } of kept) {
      const { method, path, answers } = walked;
      const answer = answers.find(([code]) => code === status)?.[1];
      const headers = new Headers({ 'content-type': Object.keys(answer?.content ?? {})[0] ?? '' });
      for (const name of Object.keys(answer?.headers ?? {})) headers.set(name, 'any');
      expect(validator.findings({ method, path, status: Number(status), headers, body })).toEqual([]);
    }
  });
});

/** The file that the service reads its examples from. */
function goldenText(results: readonly CallResult[]): string {
  const kept = results.filter(({ id, body }) => typeof body === 'object' && !NOT_KEPT.has(id));
  return `${JSON.stringify(Object.fromEntries(kept.map(({ id, body }) => [id, steady(body)])), null, 2)}\n`;
}
