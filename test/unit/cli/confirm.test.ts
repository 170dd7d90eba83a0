import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirmed } from '../../../src/cli/admin/confirm.js';
import { CliError } from '../../../src/cli/cli-error.js';

/** Asks at a made-up terminal at which these keys are pressed. */
async function askedWith(keys: string): Promise<{ went: boolean; shown: string }> {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  const went = confirmed('Revoke it?', false, { input, output });
  input.write(keys);
  return { went: await went, shown: String(output.read()) };
}

test.each(['y\r', 'Y\r', ' yes \r'])('%j goes ahead', async (keys) => {
  expect((await askedWith(keys)).went).toBe(true);
});

test.each(['n\r', '\r', 'yesterday\r', '\x03', '\x04'])('%j does nothing, and says so', async (keys) => {
  const { went, shown } = await askedWith(keys);
  expect(went).toBe(false);
  expect(shown).toContain('Revoke it? [y/N] ');
  expect(shown).toContain('Cancelled; nothing was changed.');
});

test('an input that ends means no, also where the question is written to a file', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const went = confirmed('Revoke it?', false, { input, output });
  input.end();
  expect(await went).toBe(false);
  expect(String(output.read())).toContain('Cancelled; nothing was changed.');
});

test('without a terminal --yes is needed', async () => {
  const terminal = { input: new PassThrough(), output: new PassThrough() };
  await expect(confirmed('Revoke it?', false, terminal)).rejects.toThrow(CliError);
  expect(await confirmed('Revoke it?', true, terminal)).toBe(true);
});
