import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { SecretBoxError } from '../../../src/state/secret-box.js';
import { createSign, openSign } from '../../../src/webhooks/delivery/signature.js';

const ID = 'msg_loFOjxBNrRLzqYUf';
const AT_MS = 1_731_705_121_900;
const BODY = '{"event_type":"ping","data":{"success":true}}';

describe('a delivery is signed', () => {
  test('as known answers of RFC 4231 say', () => {
    // Its second test case.
    const { 'X-Webhook-Signature': signature } = createSign('Jefe')('id', 0, 'what do ya want for nothing?');
    expect(signature).toBe('sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
  });

  test('as the example of the Standard Webhooks library says', () => {
    const secret = 'whsec_plJ3nmyCDGBKInavdOK15jsl';
    expect(createSign(secret)(ID, AT_MS, BODY)).toMatchObject({
      'webhook-id': ID,
      'webhook-timestamp': '1731705121',
      'webhook-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    });
  });

  test('over the bytes of the body as UTF-8, with those of the secret', () => {
    const body = '{"name":"Doña Ana"}';
    const { 'X-Webhook-Signature': signature } = createSign('größe')('id', 0, body);
    const expected = createHmac('sha256', Buffer.from('größe')).update(Buffer.from(body)).digest('hex');
    expect(signature).toBe(`sha256=${expected}`);
  });

  test.each([
    ['a text', 'a plain secret', { format: 'raw' } as const],
    ['an encoded key', `whsec_${Buffer.from('another secret of mine').toString('base64')}`, undefined],
    ['a text that only begins like one', 'whsec_not base64', { format: 'raw' } as const],
  ])('so that the standardwebhooks package verifies it: %s', (_, secret, options) => {
    const now = Date.now();
    const headers = createSign(secret)(ID, now, BODY);
    const receiver = new Webhook(secret, options);
    expect(receiver.verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(() => receiver.verify(`${BODY} `, headers)).toThrow();
    expect(() => receiver.verify(BODY, { ...headers, 'webhook-id': 'another' })).toThrow();
    expect(() => new Webhook('another secret', { format: 'raw' }).verify(BODY, headers)).toThrow();
  });

  test('by nothing where there is no secret', () => {
    expect(createSign(null)(ID, AT_MS, BODY)).toEqual({ 'webhook-id': ID, 'webhook-timestamp': '1731705121' });
  });
});

test('without a secret that can be opened, or without the subscription, nothing is signed; other errors are passed on', async () => {
  const failing = (error: Error) => ({ signingSecret: () => Promise.reject(error) });
  expect(await openSign(failing(new SecretBoxError('another key')), 'owner', 1)).toBe('unopenable');
  expect(await openSign({ signingSecret: () => Promise.resolve(undefined) }, 'owner', 1)).toBe('gone');
  await expect(openSign(failing(new Error('a disk')), 'owner', 1)).rejects.toThrow('a disk');
});
