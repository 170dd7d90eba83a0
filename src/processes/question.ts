import { z } from 'zod';

/** What one process can ask another: the types of question and answer, checked where they arrive. */
export interface Question<Input, Output> {
  readonly name: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** Milliseconds after which no answer is waited for. */
  readonly timeoutMs: number;
}

export function defineQuestion<Input, Output>(question: Question<Input, Output>): Question<Input, Output> {
  return question;
}

/** For a question that takes or gives nothing. */
export const nothing = z.null();

const id = z.int().min(0);

/** What is sent: plain JSON. Other messages on the same channel are somebody else's. */
export const messageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('question'), id, name: z.string(), input: z.unknown() }),
  z.strictObject({ kind: z.literal('answer'), id, output: z.unknown() }),
  z.strictObject({ kind: z.literal('failure'), id, reason: z.string() }),
]);

export type Message = z.output<typeof messageSchema>;
