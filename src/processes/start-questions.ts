import { z } from 'zod';
import { defineQuestion, nothing } from './question.js';

const TIMEOUT_MS = 10_000;

/** A new process asks the primary for the number of its slot, from 0. */
export const JOIN = defineQuestion({
  name: 'process.join',
  input: nothing,
  output: z.strictObject({ index: z.int().min(0) }),
  timeoutMs: TIMEOUT_MS,
});

/** A process tells the primary that it answers questions from now on; nothing would answer earlier ones. */
export const READY = defineQuestion({
  name: 'process.ready',
  input: nothing,
  output: nothing,
  timeoutMs: TIMEOUT_MS,
});

/** A process tells the primary the URL that it listens on. */
export const LISTENING = defineQuestion({
  name: 'process.listening',
  input: z.strictObject({ url: z.string() }),
  output: nothing,
  timeoutMs: TIMEOUT_MS,
});

/** A process tells the primary why it cannot start, as text for people, before it ends. */
export const FAILED = defineQuestion({
  name: 'process.failed',
  input: z.strictObject({ reason: z.string() }),
  output: nothing,
  timeoutMs: TIMEOUT_MS,
});
