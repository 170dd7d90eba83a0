import { expect, test, vi } from 'vitest';
import { tellingFirstFailure } from '../../../src/core/first-failure.js';

test('of failures in a row the first is told, and the next one after a success', async () => {
  const told = vi.fn();
  const work = vi.fn<() => Promise<void>>();
  const run = tellingFirstFailure(work, told);
  for (const reason of ['first', 'second', undefined, 'third']) {
    if (reason === undefined) work.mockResolvedValueOnce();
    else work.mockRejectedValueOnce(reason);
    await run();
  }
  expect(told.mock.calls).toEqual([['first'], ['third']]);
});
