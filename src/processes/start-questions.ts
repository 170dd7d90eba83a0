import { z } from 'zod';
import { defineQuestion, nothing } from './question.js';

const TIMEOUT_MS = 10_000;

/** A new process asks the primary which of the processes it is, from 0. */
export const JOIN = defineQuestion({
  name: 'process.join',
  input: nothing,
  output: z.strictObject({ index: z.int().min(0) }),
  timeoutMs: TIMEOUT_MS,
});

/** A process tells the primary that it answers questions from now on: those before would be lost on the way. */
export const READY = defineQuestion({
  name: 'process.ready',
  input: nothing,
  output: nothing,
  timeoutMs: TIMEOUT_MS,
});

/** A process tells the primary that it listens, and where. */
export const LISTENING = defineQuestion({
  name: 'process.listening',
  input: z.strictObject({ url: z.string() }),
  output: nothing,
  timeoutMs: TIMEOUT_MS,
});

/** A process tells the primary, for people, why it cannot start, and ends. */
export const FAILED = defineQuestion({
  name: 'process.failed',
  input: z.strictObject({ reason: z.string() }),
  output: nothing,
  timeoutMs: TIMEOUT_MS,
});
