import { z } from 'zod';
import type { Link } from './link.js';
import type { Processes } from './primary.js';
import { defineQuestion, nothing } from './question.js';

/** Shorter than the second within which a change of a key must take effect; a busy process notices it by itself. */
const KEYS_TIMEOUT_MS = 800;
const METRICS_TIMEOUT_MS = 5_000;

/** Asks a process to reload what has changed in the issued keys. */
const KEYS_CHANGED = defineQuestion({
  name: 'keys.changed',
  input: nothing,
  output: nothing,
  timeoutMs: KEYS_TIMEOUT_MS,
});

/** Asks a process for the contents of its /metrics, which cover all processes. */
const METRICS = defineQuestion({
  name: 'metrics.read',
  input: nothing,
  output: z.record(z.string(), z.unknown()),
  timeoutMs: METRICS_TIMEOUT_MS,
});

/** What the admin plane asks of the process, or processes, that answer requests. */
export interface AdministeredProcess {
  /** Makes a change of a key effective. */
  keysChanged(): Promise<void>;
  /** The contents of /metrics, as JSON; undefined if no process answers. */
  metrics(): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** Lets the primary tell this process of changes to keys. */
export function answerKeysChanged(link: Pick<Link, 'answer'>, keysChanged: AdministeredProcess['keysChanged']): void {
  link.answer(KEYS_CHANGED, async () => {
    await keysChanged();
    return null;
  });
}

/** Lets the primary ask this process for its metrics. */
export function answerMetrics(
  link: Pick<Link, 'answer'>,
  metrics: () => Promise<Readonly<Record<string, unknown>>>,
): void {
  link.answer(METRICS, async () => ({ ...(await metrics()) }));
}

/** Presents all processes to the admin plane as if they were one. */
export function administeredByAll({ broadcast }: Pick<Processes, 'broadcast'>): AdministeredProcess {
  return {
    keysChanged: async () => {
      await broadcast(KEYS_CHANGED, null);
    },
    metrics: async () => {
      for (const reply of await broadcast(METRICS, null)) if (reply.ok) return reply.output;
      return undefined;
    },
  };
}
