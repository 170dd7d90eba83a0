import { z } from 'zod';

/** A question that one process can ask another: schemas of its input and output, each checked by the receiver. */
export interface Question<Input, Output> {
  readonly name: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** How long the asker waits for the answer, milliseconds. */
  readonly timeoutMs: number;
}

export function defineQuestion<Input, Output>(question: Question<Input, Output>): Question<Input, Output> {
  return question;
}

/** The input or output of a question that has none. */
export const nothing = z.null();

const id = z.int().min(0);

/** What a link sends, as plain JSON. Other messages on the same channel are ignored. */
export const messageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('question'), id, name: z.string(), input: z.unknown() }),
  z.strictObject({ kind: z.literal('answer'), id, output: z.unknown() }),
  z.strictObject({ kind: z.literal('failure'), id, reason: z.string() }),
]);

export type Message = z.output<typeof messageSchema>;
