import { describe, expect, test } from 'vitest';
import { createWebhookOperation } from '../../src/http/routes/webhooks.js';
import { validationErrorSchema } from '../../src/http/schemas/system.js';
import { subscriptionSchema, subscriptionsSchema } from '../../src/http/schemas/webhooks.js';
import { administer } from '../support/administered-service.js';
import { failure, invalid, startContract } from '../support/contract.js';

const KEYS = { one: 'first-key', two: 'second-key', full: 'third-key', piled: 'fourth-key' } as const;
const contract = startContract({ API_KEYS: `a-key-for-tests,${Object.values(KEYS).join()}` });

const as = (key: string, method: string, path = '', body?: unknown) =>
  contract.call(`/v1/webhooks${path}`, {
    method,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const WANTED = { url: 'https://example.org/hook', events: ['data.updated'] };
/** A URL of so many characters. */
const urlOf = (length: number): string => 'https://example.org/'.padEnd(length, 'x');
const create = async (key: string, more: object = {}) =>
  subscriptionSchema.parse((await as(key, 'POST', '', { ...WANTED, ...more })).body);

describe('POST /v1/webhooks', () => {
  test('201: gives the subscription, without its secret', async () => {
    const { status, body } = await as(KEYS.one, 'POST', '', { ...WANTED, secret: 'hidden-away' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      ...WANTED,
      filters: {},
      active: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
    });
  });

  test('201: keeps filters; a bare threshold means above', async () => {
    const filters = {
      state_fips: ['11'],
      geoids: ['11001001704'],
      thresholds: { poverty_rate: 20, 'places_measures.diabetes': { operator: '<=', value: 9.5 } },
    };
    const { filters: kept } = await create(KEYS.one, { filters });
    expect(kept).toEqual({
      ...filters,
      thresholds: { ...filters.thresholds, poverty_rate: { operator: '>', value: 20 } },
    });
  });

  test('201: takes a url of 2048 characters and a secret of 256', async () => {
    const url = urlOf(2048);
    expect(await create(KEYS.one, { url, secret: 's'.repeat(256) })).toMatchObject({ url });
  });

  test('201: takes an event that is named twice once', async () => {
    const events = ['threshold.exceeded', 'data.updated', 'threshold.exceeded'];
    expect((await create(KEYS.two, { events })).events).toEqual(events.slice(0, 2));
  });

  test('201: null is as good as leaving out', async () => {
    const { id, filters } = await create(KEYS.one, { secret: null, filters: null });
    expect(filters).toEqual({});
    const { admin } = await administer(contract.service);
    expect((await admin.webhooks.list.query({})).find((webhook) => webhook.id === id)?.hasSecret).toBe(false);
    expect((await create(KEYS.one, { filters: { geoids: null } })).filters).toEqual({});
  });

  test.each([
    [['nothing.here'], 'nothing.here'],
    [['z.last', 'data.updated', 'a.first', 'z.last'], 'a.first, z.last'],
    [[''], ''],
  ])('400: events that do not exist, sorted, each once: %j', async (events, listed) => {
    expect(await as(KEYS.one, 'POST', '', { ...WANTED, events })).toMatchObject(
      failure(400, `Invalid event types: ${listed}. Valid: data.updated, threshold.exceeded`),
    );
  });

  test.each([
    ['{"filters":{"__proto__":["11"]}}', ['__proto__']],
    ['{"filters":{"constructor":["11"],"toString":1}}', ['constructor'], ['toString']],
    ['{"filters":{"thresholds":{"__proto__":5}}}', ['thresholds', '__proto__']],
    ['{"filters":{"thresholds":{"hasOwnProperty":5}}}', ['thresholds', 'hasOwnProperty']],
    [
      '{"filters":{"thresholds":{"poverty_rate":{"operator":">","value":1,"__proto__":3}}}}',
      ['thresholds', 'poverty_rate', '__proto__'],
    ],
  ])('422: a filter is never dropped because every object has something of its name: %s', async (text, ...places) => {
    const wanted = `{"url":"https://example.org/hook","events":["data.updated"],${text.slice(1)}`;
    const { status, body } = await contract.call('/v1/webhooks', {
      method: 'POST',
      headers: { 'X-API-Key': KEYS.one, 'Content-Type': 'application/json' },
      body: wanted,
    });
    const msg = expect.stringMatching(/^Value error, there is no such (?:field|metric): \w/);
    const detail = places.map((place) => ({ loc: ['body', 'filters', ...place], msg, type: 'value_error' }));
    expect({ status, body }).toEqual({ status: 422, body: { error: true, status_code: 422, detail } });
  });

  test('422: an unknown filter or metric is answered with what there is', async () => {
    const messageFor = async (filters: object) => {
      const { body } = await as(KEYS.one, 'POST', '', { ...WANTED, filters });
      return validationErrorSchema.parse(body).detail[0]?.msg;
    };
    expect(await messageFor({ county_fips: ['001'] })).toContain("'state_fips', 'geoids' and 'thresholds'");
    expect(await messageFor({ thresholds: { diabetes: 15 } })).toContain("such as 'places_measures.diabetes'");
    expect(await messageFor({ thresholds: { name: 15 } })).toContain(
      'there is no such metric: it is a field with numbers',
    );
    expect(await messageFor({ thresholds: { poverty_rate: { operator: '>', value: 9, unit: '%' } } })).toContain(
      "a threshold has 'operator' and 'value'",
    );
  });

  test('422: a filter beside the filters is not ignored, as events would come for the whole nation', async () => {
    const { status, body } = await as(KEYS.one, 'POST', '', { ...WANTED, filter: { state_fips: ['11'] }, geoids: [] });
    expect(status).toBe(422);
    expect(validationErrorSchema.parse(body).detail).toEqual(
      ['filter', 'geoids'].map((name) => ({
        loc: ['body', name],
        msg: "Value error, there is no such field: 'state_fips', 'geoids' and 'thresholds' are given in 'filters'",
        type: 'value_error',
      })),
    );
  });

  test('the reference names every field that is refused, although others that it does not list are ignored', async () => {
    const stray = ['filter', 'state_fips', 'geoids', 'thresholds'];
    for (const name of stray)
      expect(await as(KEYS.one, 'POST', '', { ...WANTED, [name]: null })).toMatchObject({ status: 422 });
    const { description } = createWebhookOperation;
    const except = description.slice(description.indexOf('is refused'));
    for (const name of stray) expect(except).toContain(`\`${name}\``);
  });

  test('400: an eleventh active subscription of a key; another key may still have its own', async () => {
    for (let count = 0; count < 10; count++) await create(KEYS.full);
    const refused = await as(KEYS.full, 'POST', '', WANTED);
    expect(refused).toMatchObject(failure(400, 'Maximum 10 active webhooks per API key.'));
    const [first] = subscriptionsSchema.parse((await as(KEYS.full, 'GET')).body).webhooks;
    await as(KEYS.full, 'DELETE', `/${first?.id}`);
    expect((await as(KEYS.full, 'POST', '', WANTED)).status).toBe(201);
  });

  test('400: a fifty-first subscription of a key, those that are paused included', async () => {
    const { admin } = await administer(contract.service);
    for (let count = 0; count < 50; count++) {
      const { id } = await create(KEYS.piled);
      await admin.webhooks.pause.mutate({ id });
    }
    const refused = await as(KEYS.piled, 'POST', '', WANTED);
    expect(refused).toMatchObject(failure(400, 'Maximum 50 webhooks per API key, paused ones included.'));
    const [first] = subscriptionsSchema.parse((await as(KEYS.piled, 'GET')).body).webhooks;
    await as(KEYS.piled, 'DELETE', `/${first?.id}`);
    expect((await as(KEYS.piled, 'POST', '', WANTED)).status).toBe(201);
  });

  test.each([
    ['no url', { url: undefined }, ['body', 'url'], 'missing'],
    ['a url that is none', { url: 'not a url' }, ['body', 'url'], 'url_parsing'],
    ['another protocol', { url: 'ftp://example.org' }, ['body', 'url'], 'url_parsing'],
    ['a url without a host', { url: 'https:///example' }, ['body', 'url'], 'url_parsing'],
    ['a url that is too long', { url: urlOf(2049) }, ['body', 'url'], 'string_too_long'],
    ['an address inside', { url: 'http://10.0.0.1/hook' }, ['body', 'url'], 'value_error'],
    ['an address inside, as a number', { url: 'http://2130706433/' }, ['body', 'url'], 'value_error'],
    ['an address inside, mapped', { url: 'http://[::ffff:169.254.169.254]/' }, ['body', 'url'], 'value_error'],
    ['this machine by name', { url: 'http://localhost:8000/' }, ['body', 'url'], 'value_error'],
    ['user and password', { url: 'https://user:password@example.org/' }, ['body', 'url'], 'value_error'],
    ['no events', { events: undefined }, ['body', 'events'], 'missing'],
    ['an empty list of events', { events: [] }, ['body', 'events'], 'too_short'],
    ['a number as event', { events: [1] }, ['body', 'events', 0], 'string_type'],
    ['an empty secret', { secret: '' }, ['body', 'secret'], 'string_too_short'],
    ['a long secret', { secret: 'x'.repeat(257) }, ['body', 'secret'], 'string_too_long'],
    [
      'a state of one digit',
      { filters: { state_fips: ['1'] } },
      ['body', 'filters', 'state_fips', 0],
      'string_pattern_mismatch',
    ],
    ['a short GEOID', { filters: { geoids: ['1'] } }, ['body', 'filters', 'geoids', 0], 'string_pattern_mismatch'],
    [
      'an operator that is none',
      { filters: { thresholds: { poverty_rate: { operator: '=', value: 1 } } } },
      ['body', 'filters', 'thresholds', 'poverty_rate', 'operator'],
      'enum',
    ],
    [
      'a threshold without an operator',
      { filters: { thresholds: { poverty_rate: { value: 1 } } } },
      ['body', 'filters', 'thresholds', 'poverty_rate', 'operator'],
      'missing',
    ],
    [
      'a threshold without a value',
      { filters: { thresholds: { poverty_rate: { operator: '>' } } } },
      ['body', 'filters', 'thresholds', 'poverty_rate', 'value'],
      'missing',
    ],
    [
      'a threshold on what is no metric',
      { filters: { thresholds: { happiness: 1 } } },
      ['body', 'filters', 'thresholds', 'happiness'],
      'value_error',
    ],
    ['a filter that there is not', { filters: { state: ['27'] } }, ['body', 'filters', 'state'], 'value_error'],
  ] as const)('422: %s', async (_, wrong, loc, type) => {
    expect(await as(KEYS.one, 'POST', '', { ...WANTED, ...wrong })).toMatchObject(invalid(loc, type));
  });

  test('422: a URL that must not be, before events that do not exist', async () => {
    const { status } = await as(KEYS.one, 'POST', '', { url: 'http://127.0.0.1/', events: ['nothing.here'] });
    expect(status).toBe(422);
  });
});

describe('GET and DELETE /v1/webhooks/{id}', () => {
  test('200: a subscription is there, alone and in the list, for its own key', async () => {
    const created = await create(KEYS.two);
    expect((await as(KEYS.two, 'GET', `/${created.id}`)).body).toEqual(created);
    expect((await as(KEYS.two, 'GET')).body).toMatchObject({ webhooks: expect.arrayContaining([created]) });
  });

  test('404: for another key it is not there, and stays', async () => {
    const { id } = await create(KEYS.two);
    for (const method of ['GET', 'DELETE']) {
      expect(await as(KEYS.one, method, `/${id}`)).toMatchObject(failure(404, 'Webhook not found.'));
    }
    expect((await as(KEYS.two, 'GET', `/${id}`)).status).toBe(200);
  });

  test('204: after its end it is gone', async () => {
    const { id } = await create(KEYS.two);
    const { status, body } = await as(KEYS.two, 'DELETE', `/${id}`);
    expect([status, body]).toEqual([204, '']);
    expect(await as(KEYS.two, 'DELETE', `/${id}`)).toMatchObject(failure(404, 'Webhook not found.'));
  });

  test.each(['0', '-1', '999999', '99999999999999999999'])('404: %s', async (id) => {
    for (const method of ['GET', 'DELETE']) {
      expect(await as(KEYS.one, method, `/${id}`)).toMatchObject(failure(404, 'Webhook not found.'));
    }
  });

  test.each([
    ['x', 'int_parsing'],
    ['1.5', 'int_parsing'],
    ['%20', 'int_parsing'],
  ])('422: %s', async (id, type) => {
    expect(await as(KEYS.one, 'DELETE', `/${id}`)).toMatchObject(invalid(['path', 'id'], type));
  });
});
