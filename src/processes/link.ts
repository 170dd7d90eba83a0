import { messageOf } from '../core/message-of.js';
import { type Message, messageSchema, type Question } from './question.js';

/** Carries messages between two processes. */
export interface Channel {
  /** Whether the other process is there. Of a channel that was closed before, `onClose` does not tell. */
  isConnected(): boolean;
  /** Sends a message, or does nothing if the other process is gone. */
  send(message: Message): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Calls the listener when the other process is gone, or has disconnected. */
  onClose(listener: () => void): void;
}

/** Exchanges questions and answers between two processes; either may ask. */
export interface Link {
  /** The other process's answer. Rejects with {@link LinkError} if it fails to answer, is too late, or goes away. */
  ask<Input, Output>(question: Question<Input, Output>, input: Input): Promise<Output>;
  /** Registers how this process answers a question; the message of what `handler` throws becomes the asker's reason. */
  answer<Input, Output>(question: Question<Input, Output>, handler: (input: Input) => Output | Promise<Output>): void;
  /** Resolves when the other process is gone. */
  readonly closed: Promise<void>;
}

/** Why a question has no answer. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
}

interface Asked {
  settle(message: Exclude<Message, { kind: 'question' }>): void;
  fail(reason: string): void;
}

type Answerer = (input: unknown) => Promise<unknown>;

export function createLink(channel: Channel): Link {
  const asked = new Map<number, Asked>();
  const answerers = new Map<string, Answerer>();
  let nextId = 0;
  let isClosed = !channel.isConnected();

  const closed = new Promise<void>((resolve) => {
    if (isClosed) resolve();
    channel.onClose(() => {
      isClosed = true;
      for (const { fail } of asked.values()) fail('the other process is gone');
      resolve();
    });
  });
  channel.onMessage((received) => {
    const { success, data } = messageSchema.safeParse(received);
    if (!success) return;
    if (data.kind === 'question') void answerTo(data).then(channel.send);
    else asked.get(data.id)?.settle(data);
  });

  async function answerTo({ id, name, input }: Extract<Message, { kind: 'question' }>): Promise<Message> {
    try {
      const answer = answerers.get(name);
      if (!answer) throw new LinkError(`nothing answers ${name} here`);
      return { kind: 'answer', id, output: await answer(input) };
    } catch (error) {
      return { kind: 'failure', id, reason: messageOf(error) };
    }
  }

  return {
    closed,
    answer: (question, handler) => {
      answerers.set(question.name, async (input) => handler(question.input.parse(input)));
    },
    ask: (question, input) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new LinkError(`${question.name}: the other process is gone`);
        const id = nextId++;
        const forget = (): void => {
          clearTimeout(timer);
          asked.delete(id);
        };
        const fail = (reason: string): void => {
          forget();
          reject(new LinkError(`${question.name}: ${reason}`));
        };
        const settle: Asked['settle'] = (message) => {
          if (message.kind === 'failure') return fail(message.reason);
          const { success, data } = question.output.safeParse(message.output);
          if (!success) return fail('the answer is not of the kind that was asked for');
          forget();
          resolve(data);
        };
        const timer = setTimeout(() => fail(`no answer within ${question.timeoutMs} ms`), question.timeoutMs);
        asked.set(id, { settle, fail });
        channel.send({ kind: 'question', id, name: question.name, input });
      }),
  };
}
