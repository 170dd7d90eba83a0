import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startForked } from '../../bench/lib/forked-server.js';

const SCRIPT = join(import.meta.dirname, '..', '..', 'dist', 'bench', 'peers', 'constant-server.js');

test.each(['node', 'express', 'fastify'])(
  'connections to the yardstick %s are kept for a minute, as those to the service are',
  async (kind) => {
    const { url, stop } = await startForked(SCRIPT, [kind, '100']);
    const { headers } = await new Promise<IncomingMessage>((resolve) => get(url, resolve));
    await stop();
    const [, seconds] = /^timeout=(\d+)$/.exec(String(headers['keep-alive'])) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(60);
  },
);
