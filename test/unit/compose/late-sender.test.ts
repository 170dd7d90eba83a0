import { expect, test, vi } from 'vitest';
import { createLateSender } from '../../../src/compose/late-sender.js';
import type * as senders from '../../../src/webhooks/delivery/sender.js';

const options = { policy: { httpsOnly: false, allowedHosts: new Set<string>() }, userAgent: 'test' };
const url = new URL('http://hooks.example.org/');
const arrived = { status: 204, failure: null, durationMs: 1 } as const;

test('a sender whose files are gone says so, and is loaded once they are back', async () => {
  const gone = Object.assign(new Error('Cannot find module'), { code: 'ERR_MODULE_NOT_FOUND' });
  const createSender = () => ({ send: () => Promise.resolve(arrived), close: () => {} });
  const load = vi.fn<() => Promise<typeof senders>>().mockRejectedValueOnce(gone).mockResolvedValue({ createSender });
  const sender = createLateSender(options, load);
  await expect(sender.send(url, {}, '{}')).rejects.toMatchObject({
    code: 'program-replaced',
    message: expect.stringContaining('restart the service'),
  });
  expect(await sender.send(url, {}, '{}')).toEqual(arrived);
  expect(await sender.send(url, {}, '{}')).toEqual(arrived);
  expect(load).toHaveBeenCalledTimes(2);
});
