import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createSender } from '../../../src/webhooks/delivery/sender.js';
import { createSign } from '../../../src/webhooks/delivery/signature.js';
import { eventually } from '../../support/eventually.js';
import { RECEIVER_LANGUAGES, startReadmeReceiver } from '../../support/receiver-process.js';

const SECRET = 'a secret of the receiver';
const BODY = '{"event":"data.updated","data":{"name":"Doña Ana"}}';

describe.each(RECEIVER_LANGUAGES)('README’s receiver in %s', (language) => {
  test('takes what is signed with its secret, and refuses everything else', async (context) => {
    const receiver = await startReadmeReceiver(language, SECRET);
    if (!receiver) return context.skip(`${language} is not installed`);
    const policy = { httpsOnly: false, allowedHosts: new Set(['127.0.0.1']) };
    const sender = createSender({ policy, userAgent: 'tract-context/test' });
    const send = async (headers: Readonly<Record<string, string>>, body = BODY) =>
      (await sender.send(new URL(receiver.url), headers, body)).status;
    const signed = createSign(SECRET)('msg_1', Date.now(), BODY);
    const { 'X-Webhook-Signature': signature = '', ...unsigned } = signed;
    expect(await send(signed)).toBe(204);
    expect(await send(signed, BODY.replace('Doña', 'Dona'))).toBe(401);
    expect(await send(createSign('another')('msg_2', Date.now(), BODY))).toBe(401);
    expect(await send(unsigned)).toBe(401);
    for (const wrong of [
      '',
      'sha256=',
      signature.slice(7),
      signature.toUpperCase(),
      signature.slice(0, -1),
      `${signature}0`,
    ]) {
      expect(await send({ ...unsigned, 'X-Webhook-Signature': wrong }), wrong).toBe(401);
    }
    await eventually(() => expect(receiver.lines()).toEqual([`msg_1 ${BODY}`]));
    // Whoever finds its address can hang up in the middle of a body: that must not end the receiver.
    const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1').resume();
    socket.end('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{');
    await once(socket, 'close');
    expect(await send(signed)).toBe(204);
    sender.close();
    await receiver.stop();
  });
});
