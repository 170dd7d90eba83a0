import { describe, expect, test } from 'vitest';
import { batchSchema } from '../../src/http/schemas/tract.js';
import { failure, invalid, shareContract } from '../support/contract.js';
import { ADDRESS, NO_ADDRESS, TRACT } from '../support/contract-values.js';
import { TEST_KEY } from '../support/service-process.js';

const contract = shareContract();
const post = (body: unknown) => contract.post('/v1/batch', body);
const send = (body: NonNullable<RequestInit['body']>, headers: Record<string, string>) =>
  contract.call('/v1/batch', { method: 'POST', headers: { 'X-API-Key': TEST_KEY, ...headers }, body });

const JSON_TYPE = { 'Content-Type': 'application/json' };
const notJson = invalid(['body'], 'json_invalid');

describe('POST /v1/batch, 200', () => {
  test('gives one result for each address, in their order, repeated or not', async () => {
    const addresses = [NO_ADDRESS, ADDRESS, NO_ADDRESS, ADDRESS];
    const { status, body } = await post({ addresses });
    expect(status).toBe(200);
    const batch = batchSchema.parse(body);
    expect(batch).toMatchObject({ total: 4, succeeded: 2, failed: 2 });
    expect(batch.results.map(({ address }) => address)).toEqual(addresses);
    expect(batch.results.map((result) => result.status)).toEqual(['error', 'ok', 'error', 'ok']);
  });

  test('gives location and tract where all is well, and neither where no address matches', async () => {
    const { body } = await post({ addresses: [ADDRESS, NO_ADDRESS] });
    expect(body).toMatchObject({
      results: [
        {
          address: ADDRESS,
          status: 'ok',
          location: { matched_address: ADDRESS },
          tract: { geoid: TRACT },
          error: null,
        },
        { address: NO_ADDRESS, status: 'error', location: null, tract: null, error: 'Address could not be matched.' },
      ],
    });
  });

  test('lets no cache keep the answer, which contains addresses', async () => {
    expect((await post({ addresses: [ADDRESS] })).headers.get('cache-control')).toBe('no-store');
  });

  test('says so where no address ranges are loaded, which is no mistake in the address', async () => {
    const { body } = await post({ addresses: ['1 Palm Way, Hagatna, GU 96910'] });
    const error = 'Address could not be matched: no address ranges are loaded for its state or ZIP code.';
    expect(body).toMatchObject({ succeeded: 0, results: [{ status: 'error', error }] });
  });

  test('says what is amiss with an address that cannot be matched', async () => {
    const { body } = await post({
      addresses: ['homeless', 'Main St, DE 19801', '150 Main St', '150 Nowhere Way, DE 19801'],
    });
    expect(batchSchema.parse(body).results.map(({ error }) => error)).toEqual([
      'Address could not be matched: it has no house number with a street behind it.',
      'Address could not be matched: it has no house number with a street behind it.',
      'Address could not be matched: it has neither a ZIP code nor a state.',
      'Address could not be matched.',
    ]);
  });

  test('says of an empty address and of a long one what is wrong with it, and answers the others', async () => {
    const { status, body } = await post({ addresses: ['', ADDRESS, '  ', 'x'.repeat(501)] });
    expect(status).toBe(200);
    const { total, succeeded, failed, results } = batchSchema.parse(body);
    expect({ total, succeeded, failed }).toEqual({ total: 4, succeeded: 1, failed: 3 });
    expect(results.map(({ error }) => error)).toEqual([
      'Address could not be matched: it is empty.',
      null,
      'Address could not be matched: it is empty.',
      'Address could not be matched: it has more than 500 characters.',
    ]);
    expect(results[0]).toEqual({ address: '', status: 'error', location: null, tract: null, error: results[0]?.error });
  });

  test('takes 50 addresses, and any kind of JSON media type', async () => {
    const body = JSON.stringify({ addresses: Array.from({ length: 50 }, () => ADDRESS) });
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'application/json; charset="UTF-8"',
      'application/json;charset=ISO-8859-1',
      'application/json; charset=',
      'Application/JSON',
      'application/vnd.api+json',
    ]) {
      expect((await send(body, { 'Content-Type': type })).status).toBe(200);
    }
  });

  test('takes no body for compressed whose encoding is left empty', async () => {
    const body = JSON.stringify({ addresses: [ADDRESS] });
    expect((await send(body, { ...JSON_TYPE, 'Content-Encoding': '' })).status).toBe(200);
  });

  test('ignores fields that it does not know, prototypes among them', async () => {
    const body = `{"addresses":["${ADDRESS}"],"__proto__":{"addresses":[]},"constructor":1,"more":{"x":[1]}}`;
    expect((await send(body, JSON_TYPE)).body).toMatchObject({ total: 1, succeeded: 1 });
  });

  test('takes the last of a key that stands twice', async () => {
    const { body } = await send(`{"addresses":["a","b"],"addresses":["${ADDRESS}"]}`, JSON_TYPE);
    expect(body).toMatchObject({ total: 1 });
  });
});

describe('POST /v1/batch, 400', () => {
  test.each([51, 200, 20_000])('with %i addresses', async (count) => {
    const { status, body } = await post({ addresses: Array.from({ length: count }, () => 'a') });
    expect({ status, body }).toEqual(failure(400, `Too many addresses: ${count} exceeds max of 50`));
  });
});

describe('POST /v1/batch, 413', () => {
  const large = JSON.stringify({ addresses: ['x'.repeat(256 * 1024)] });
  const tooLarge = failure(413, 'The request body exceeds 262144 bytes.');

  test('over 256 KiB, whatever it holds', async () => {
    expect(await send(large, JSON_TYPE)).toMatchObject(tooLarge);
  });

  test('over 256 KiB in chunks, whose length nobody said', async () => {
    const stream = new Blob([large]).stream();
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { 'X-API-Key': TEST_KEY, ...JSON_TYPE },
      body: stream,
      duplex: 'half',
    };
    expect(await contract.call('/v1/batch', init)).toMatchObject(tooLarge);
  });
});

describe('POST /v1/batch, 422', () => {
  test.each([
    ['no list', {}, ['body', 'addresses'], 'missing'],
    ['no list but null', { addresses: null }, ['body', 'addresses'], 'list_type'],
    ['a text for a list', { addresses: ADDRESS }, ['body', 'addresses'], 'list_type'],
    ['an empty list', { addresses: [] }, ['body', 'addresses'], 'too_short'],
    ['a list in the list', { addresses: [[]] }, ['body', 'addresses', 0], 'string_type'],
    ['a long list in the list', { addresses: [Array(501).fill('a')] }, ['body', 'addresses', 0], 'string_type'],
    ['a number in the list', { addresses: ['a', 'b', 'c', 4] }, ['body', 'addresses', 3], 'string_type'],
    ['a list for an object', [], ['body'], 'value_error'],
    ['a number for an object', 7, ['body'], 'value_error'],
  ] as const)('%s', async (_, body, loc, type) => {
    expect(await post(body)).toMatchObject(invalid(loc, type));
  });

  test('comes before the 400', async () => {
    expect((await post({ addresses: [...Array.from({ length: 60 }, () => ADDRESS), 1] })).status).toBe(422);
  });

  test('no body', async () => {
    expect(await send('', JSON_TYPE)).toMatchObject(invalid(['body'], 'missing'));
  });

  test.each([
    ['text that is no JSON', '{"addresses":["12 Secret Street"', JSON_TYPE],
    ['a media type that is no JSON', '{"addresses":["x"]}', { 'Content-Type': 'text/plain' }],
    ['a form', 'addresses=x', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['text in UTF-16', Buffer.from('{}', 'utf16le'), { 'Content-Type': 'application/json; charset=utf-16' }],
    ['a compressed body', '{}', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
    ['nesting without end', '['.repeat(100_000) + ']'.repeat(100_000), JSON_TYPE],
  ])('%s', async (_, body, headers) => {
    expect(await send(body, headers)).toMatchObject(notJson);
  });

  test('bytes that are no UTF-8, and nothing of the body is told', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"addresses":["12 Secret Street '),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"]}'),
    ]);
    const { body } = await send(bytes, JSON_TYPE);
    expect(JSON.stringify(body)).not.toContain('Secret');
  });
});
