import { join } from 'node:path';
import { startForked } from '../lib/forked-server.js';
import type { TargetServer } from '../lib/target-server.js';

export type Yardstick = 'node' | 'express' | 'fastify';

export const YARDSTICK_NAMES: Readonly<Record<Yardstick, string>> = {
  node: 'bare node:http',
  express: 'plain Express',
  fastify: 'Fastify',
};

const SCRIPT = join(import.meta.dirname, '..', 'peers', 'constant-server.js');

/** Starts a server that answers every request with a constant body of this size. */
export async function startYardstick(kind: Yardstick, bodyBytes: number): Promise<TargetServer> {
  return startForked(SCRIPT, [kind, String(bodyBytes)]);
}
