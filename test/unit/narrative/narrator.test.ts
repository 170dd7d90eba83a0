import { describe, expect, test } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import type { TractFacts } from '../../../src/narrative/facts.js';
import { createNarrator, type ModelNarratorOptions, type Narrator } from '../../../src/narrative/narrator.js';
import { rulesDraft, rulesText } from '../../../src/narrative/rules.js';
import type { CallFailure } from '../../../src/outbound/call-error.js';
import { eventually } from '../../support/eventually.js';
import { type Answer, type FakeServer, sendJson, startFakeServer } from '../../support/fake-server.js';
import { anthropicAnswer, openaiAnswer } from './fake-provider.js';
import { emptyFacts, sampleFacts } from './sample-facts.js';

const API_KEY = 'key-that-no-one-may-see';
const TEXT = 'Poverty is common here.';
const CLOSING = / This AI-generated summary was written from published area-level data .*not any individual\.$/;

interface Setup {
  readonly narrator: Narrator;
  readonly fake: FakeServer;
  readonly reasons: CallFailure[];
}

async function setUp(answer: Answer, more: Partial<ModelNarratorOptions> = {}): Promise<Setup> {
  const fake = await startFakeServer(answer);
  const reasons: CallFailure[] = [];
  const narrator = createNarrator({
    provider: 'anthropic',
    model: 'a-model',
    apiKey: API_KEY,
    baseUrl: fake.url,
    timeoutMs: 10_000,
    maxConcurrent: 2,
    fetch,
    now: () => 0,
    closing: new AbortController().signal,
    onFailure: (reason) => reasons.push(reason),
    ...more,
  });
  return { narrator, fake, reasons };
}

/** Facts of as many different tracts as wanted. */
const tract = (number: number): TractFacts => sampleFacts({}, { generation: `generation-${number}` });

describe('without a provider', () => {
  test('gives the rule-based text and counts it', async () => {
    const narrator = createNarrator({ provider: 'rules' });
    expect(await narrator.summarize(sampleFacts())).toBe(rulesText(sampleFacts()));
    expect(narrator.stats()).toEqual({ ok: 1, failures: 0 });
  });
});

describe('the request', () => {
  test('to Anthropic is a Messages API call', async () => {
    const { narrator, fake } = await setUp((response) => sendJson(response, anthropicAnswer(TEXT)));
    const text = await narrator.summarize(sampleFacts());
    expect(text.startsWith(TEXT)).toBe(true);
    expect(text).toMatch(CLOSING);
    const [request] = fake.requests;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/messages',
      headers: { 'x-api-key': API_KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      model: 'a-model',
      max_tokens: expect.any(Number),
      system: expect.stringContaining('Do not invent'),
      messages: [{ role: 'user', content: expect.stringContaining(rulesDraft(sampleFacts())) }],
    });
  });

  test('to an OpenAI-compatible endpoint is a chat completion with a bearer key', async () => {
    const fake = await startFakeServer((response) => sendJson(response, openaiAnswer(TEXT)));
    const options = { provider: 'openai', model: 'm', apiKey: API_KEY, baseUrl: `${fake.url}/openai/v1` } as const;
    const { signal: closing } = new AbortController();
    const narrator = createNarrator({ ...options, timeoutMs: 10_000, maxConcurrent: 1, fetch, now: () => 0, closing });
    expect((await narrator.summarize(sampleFacts())).startsWith(TEXT)).toBe(true);
    const [request] = fake.requests;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/openai/v1/chat/completions',
      headers: { authorization: `Bearer ${API_KEY}` },
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      model: 'm',
      max_tokens: expect.any(Number),
      messages: [
        { role: 'system', content: expect.stringContaining('Do not invent') },
        { role: 'user', content: expect.stringContaining('Published figures') },
      ],
    });
  });

  test('carries no key where the endpoint needs none', async () => {
    const answer: Answer = (response) => sendJson(response, openaiAnswer(TEXT));
    const { narrator, fake } = await setUp(answer, { provider: 'openai', apiKey: undefined });
    await narrator.summarize(sampleFacts());
    expect(fake.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('says that an unpublished figure is not published', async () => {
    const { narrator, fake } = await setUp((response) => sendJson(response, anthropicAnswer(TEXT)));
    await narrator.summarize(emptyFacts());
    expect(fake.requests[0]?.body).toContain('not published');
    expect(fake.requests[0]?.body).not.toMatch(/null|NaN|undefined/);
  });
});

describe('the text', () => {
  test('loses control characters and line breaks', async () => {
    const { narrator } = await setUp((response) =>
      sendJson(response, anthropicAnswer('  One\u0000 line.\r\n\n\u202eTwo\u001b[31m lines.\ue000\t')),
    );
    expect((await narrator.summarize(sampleFacts())).startsWith('One line. Two[31m lines. This AI')).toBe(true);
  });

  test.each([
    '<think>\nThe poverty rate is high.\n</think>\n\n',
    '<think></think>',
    // Where the tag at its beginning is part of the prompt.
    'First, the poverty rate.</think> ',
  ])('comes without the reasoning before it: %j', async (reasoning) => {
    const answer = openaiAnswer(reasoning + TEXT);
    const { narrator } = await setUp((response) => sendJson(response, answer), { provider: 'openai' });
    expect((await narrator.summarize(sampleFacts())).startsWith(`${TEXT} This AI`)).toBe(true);
  });

  test('may have 2,000 characters', async () => {
    const { narrator } = await setUp((response) => sendJson(response, anthropicAnswer('x'.repeat(2000))));
    expect((await narrator.summarize(sampleFacts())).startsWith('x'.repeat(2000))).toBe(true);
  });
});

describe('the rule-based text stands in', () => {
  const cases: Record<string, readonly [Answer, CallFailure]> = {
    'for status 400': [(response) => sendJson(response, { error: API_KEY }, 400), 'status-400'],
    'for status 401': [(response) => sendJson(response, { error: API_KEY }, 401), 'status-401'],
    'for status 429': [(response) => sendJson(response, {}, 429), 'status-429'],
    'for status 500': [(response) => void response.writeHead(500).end('oops'), 'status-500'],
    'for a redirect, which would take the key along': [
      (response, { path }) => {
        if (path === '/elsewhere') sendJson(response, anthropicAnswer(TEXT));
        else response.writeHead(307, { location: '/elsewhere' }).end();
      },
      'status-307',
    ],
    'for a broken connection': [(response) => void response.destroy(), 'unreachable'],
    'for an answer that breaks off': [
      (response) => {
        response.writeHead(200, { 'content-length': 1000 }).write('{"content":', () => response.destroy());
      },
      'unreachable',
    ],
    'for garbage': [(response) => void response.end('<html>busy</html>'), 'not-json'],
    'for a page': [
      (response) => void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>busy'),
      'html',
    ],
    'for an empty body': [(response) => void response.end(), 'not-json'],
    'for JSON of another shape': [(response) => sendJson(response, { content: 'text' }), 'no-text'],
    'for JSON null': [(response) => sendJson(response, null), 'no-text'],
    'for an answer without content': [
      (response) => sendJson(response, { ...anthropicAnswer(''), content: [] }),
      'no-text',
    ],
    'for white space': [(response) => sendJson(response, anthropicAnswer(' \n\u0007 ')), 'no-text'],
    'for a refusal': [(response) => sendJson(response, anthropicAnswer('I', 'refusal')), 'no-text'],
    'for a text that was cut off': [(response) => sendJson(response, anthropicAnswer(TEXT, 'max_tokens')), 'no-text'],
    'for more than 2,000 characters': [(response) => sendJson(response, anthropicAnswer('x'.repeat(2001))), 'too-long'],
    'for a huge body': [
      (response) => sendJson(response, { ...anthropicAnswer(TEXT), padding: 'x'.repeat(1_000_000) }),
      'too-large',
    ],
  };
  test.each(Object.entries(cases))('%s', async (_, [answer, reason]) => {
    const { narrator, reasons } = await setUp(answer);
    expect(await narrator.summarize(sampleFacts())).toBe(rulesText(sampleFacts()));
    expect(reasons).toEqual([reason]);
    expect(narrator.stats()).toEqual({ ok: 0, failures: 1 });
  });

  test.each([
    ['no content', openaiAnswer(null)],
    ['no choices', { choices: [] }],
    ['a filtered answer', openaiAnswer('I', 'content_filter')],
    ['a cut-off answer', openaiAnswer(TEXT, 'length')],
    ['nothing but reasoning', openaiAnswer(`<think>${TEXT}`)],
    ['a refusal', { choices: [{ message: { content: 'I', refusal: 'I cannot' }, finish_reason: 'stop' }] }],
  ])('for %s of an OpenAI-compatible endpoint', async (_, body) => {
    const { narrator, reasons } = await setUp((response) => sendJson(response, body), { provider: 'openai' });
    expect(await narrator.summarize(sampleFacts())).toBe(rulesText(sampleFacts()));
    expect(reasons).toEqual(['no-text']);
  });

  test('when the time is up, and the connection is closed', async () => {
    const closed = deferred<void>();
    const { narrator, reasons } = await setUp(
      (response) => {
        response.on('close', () => closed.resolve());
      },
      // The question has to arrive in that time.
      { timeoutMs: 1000 },
    );
    expect(await narrator.summarize(sampleFacts())).toBe(rulesText(sampleFacts()));
    expect(reasons).toEqual(['timeout']);
    await closed.promise;
  });

  test('when an answer trickles in beyond the time', async () => {
    const { narrator, reasons } = await setUp((response) => void response.writeHead(200).write('{'), {
      timeoutMs: 300,
    });
    expect(await narrator.summarize(sampleFacts())).toBe(rulesText(sampleFacts()));
    expect(reasons).toEqual(['timeout']);
  });

  test('for a key that is no header, without a word of it', async () => {
    const { narrator, reasons, fake } = await setUp(() => {}, { apiKey: `${API_KEY}\nx: y` });
    expect(await narrator.summarize(sampleFacts())).toBe(rulesText(sampleFacts()));
    expect(reasons).toEqual(['unreachable']);
    expect(fake.requests).toHaveLength(0);
  });
});

describe('the provider is spared', () => {
  test('a second request for the same tract', async () => {
    const { narrator, fake } = await setUp((response) => sendJson(response, anthropicAnswer(TEXT)));
    const first = await narrator.summarize(tract(1));
    expect(await narrator.summarize(tract(1))).toBe(first);
    expect(fake.requests).toHaveLength(1);
    await narrator.summarize(tract(2));
    expect(fake.requests).toHaveLength(2);
    expect(narrator.stats()).toEqual({ ok: 3, failures: 0 });
  });

  test('a second request while the first is under way', async () => {
    const gate = deferred<void>();
    const { narrator, fake } = await setUp(async (response) => {
      await gate.promise;
      sendJson(response, anthropicAnswer(TEXT));
    });
    const both = [narrator.summarize(tract(1)), narrator.summarize(tract(1))];
    await fake.received(1);
    gate.resolve();
    const [first, second] = await Promise.all(both);
    expect(second).toBe(first);
    expect(fake.requests).toHaveLength(1);
  });

  test('but not after a failure, which is not kept', async () => {
    let fails = true;
    const { narrator, fake } = await setUp((response) => {
      sendJson(response, anthropicAnswer(TEXT), fails ? 503 : 200);
    });
    await narrator.summarize(tract(1));
    fails = false;
    expect((await narrator.summarize(tract(1))).startsWith(TEXT)).toBe(true);
    expect(fake.requests).toHaveLength(2);
  });

  test('the least recently asked for leaves the cache first', async () => {
    const { narrator, fake } = await setUp((response) => sendJson(response, anthropicAnswer(TEXT)), {
      cacheMaxEntries: 2,
    });
    for (const number of [1, 2, 1, 3, 1, 2]) await narrator.summarize(tract(number));
    expect(fake.requests).toHaveLength(4);
  });

  test('more requests at the same time than allowed', async () => {
    // Slow enough that all that may be under way at the same time are.
    const { narrator, fake } = await setUp((response) => {
      setTimeout(() => sendJson(response, anthropicAnswer(TEXT)), 30);
    });
    await Promise.all([1, 2, 3, 4, 5, 6].map((number) => narrator.summarize(tract(number))));
    expect(fake.requests).toHaveLength(6);
    expect(fake.mostAtOnce()).toBe(2);
    expect(narrator.stats()).toEqual({ ok: 6, failures: 0 });
  });

  test('a queue without end: beyond four waiting callers the rule-based text comes at once', async () => {
    const gate = deferred<void>();
    const { narrator, fake, reasons } = await setUp(
      async (response) => {
        await gate.promise;
        sendJson(response, anthropicAnswer(TEXT));
      },
      { maxConcurrent: 1 },
    );
    const first = narrator.summarize(tract(0));
    await fake.received(1);
    const others = [1, 2, 3, 4, 5, 6, 7].map((number) => narrator.summarize(tract(number)));
    await eventually(() => expect(reasons).toHaveLength(3));
    gate.resolve();
    await Promise.all([first, ...others]);
    expect(reasons).toEqual(['busy', 'busy', 'busy']);
    expect(narrator.stats()).toEqual({ ok: 5, failures: 3 });
  });

  test('requests for which the time ran out while they waited, and they do not count against it', async () => {
    const { narrator, fake } = await setUp(
      (response) => {
        if (fake.requests.length > 1) sendJson(response, anthropicAnswer(TEXT));
      },
      { maxConcurrent: 1, timeoutMs: 1500 },
    );
    const texts = await Promise.all([1, 2, 3, 4, 5].map((number) => narrator.summarize(tract(number))));
    expect(texts).toEqual([1, 2, 3, 4, 5].map((number) => rulesText(tract(number))));
    expect(fake.requests).toHaveLength(1);
    expect((await narrator.summarize(tract(6))).startsWith(TEXT)).toBe(true);
  });

  test('for as long as it asks for', async () => {
    let nowMs = 0;
    const { narrator, reasons, fake } = await setUp(
      (response) => void response.writeHead(429, { 'retry-after': '120' }).end(),
      { now: () => nowMs },
    );
    await narrator.summarize(tract(1));
    nowMs = 119_000;
    await narrator.summarize(tract(2));
    nowMs = 120_000;
    await narrator.summarize(tract(3));
    expect(reasons).toEqual(['status-429', 'cooling-down', 'status-429']);
    expect(fake.requests).toHaveLength(2);
  });

  test('for a while after five failures in a row, then it is tried once', async () => {
    let nowMs = 0;
    let status = 500;
    const answer: Answer = (response) => sendJson(response, anthropicAnswer(TEXT), status);
    const { narrator, fake, reasons } = await setUp(answer, { now: () => nowMs });
    for (const number of [1, 2, 3, 4, 5, 6]) await narrator.summarize(tract(number));
    expect(fake.requests).toHaveLength(5);
    expect(reasons.at(-1)).toBe('cooling-down');
    nowMs = 60_000;
    for (const number of [7, 8]) await narrator.summarize(tract(number));
    expect(fake.requests).toHaveLength(6);
    nowMs = 120_000;
    status = 200;
    for (const number of [9, 10]) await narrator.summarize(tract(number));
    expect(fake.requests).toHaveLength(8);
    expect(narrator.stats()).toEqual({ ok: 2, failures: 8 });
  });
});
