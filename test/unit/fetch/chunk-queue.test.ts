import { expect, test, vi } from 'vitest';
import { createChunkQueue } from '../../../src/load/fetch/chunk-queue.js';

const idle = { pause: () => {}, resume: () => {} };

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk.toString();
  return text;
}

test('what a paused connection held back arrives though all of it comes at once when it goes on', async () => {
  const queue = createChunkQueue({
    pause: () => {},
    resume: () => {
      queue.push(Buffer.from('second'));
      queue.end();
    },
  });
  queue.push(Buffer.from('first, '));
  expect(await textOf(queue.chunks())).toBe('first, second');
});

test('a sender is asked to pause when a megabyte waits, and to go on when it is taken', async () => {
  const flow = { pause: vi.fn(), resume: vi.fn(() => queue.end()) };
  const queue = createChunkQueue(flow);
  queue.push(Buffer.alloc(1024 * 1024 - 1));
  expect(flow.pause).not.toHaveBeenCalled();
  queue.push(Buffer.alloc(1));
  expect(flow.pause).toHaveBeenCalledOnce();
  await textOf(queue.chunks());
  expect(flow.resume).toHaveBeenCalledOnce();
});

test('what came before a failure is given before it is thrown', async () => {
  const queue = createChunkQueue(idle);
  queue.push(Buffer.from('content'));
  queue.end(new Error('dropped'));
  const chunks = queue.chunks();
  expect((await chunks.next()).value?.toString()).toBe('content');
  await expect(chunks.next()).rejects.toThrow('dropped');
});
