import type { Request, Response } from 'express';
import { afterSending } from './after-sending.js';

/** Answers that clients have not read yet, which have to be kept until they have. */
export interface UnreadAnswers {
  /** Counts an answer until it is sent. If there are too many bytes then, gives up those that have waited longest. */
  add(request: Request, response: Response, body: Uint8Array): void;
}

interface UnreadAnswer {
  readonly request: Request;
  readonly body: Uint8Array;
}

/**
 * Without a bound, a few dozen clients that take their maps slowly, or not at all, would use up all memory. Those that have
 * waited longest are disconnected rather than new ones refused: a client that never reads must not keep others from maps.
 */
export function createUnreadAnswers(maxBytes: number): UnreadAnswers {
  const waiting = new Set<UnreadAnswer>();
  /** How many answers wait with the same bytes, such as those of a cached answer, which are in memory once. */
  const holders = new Map<Uint8Array, number>();
  let bytes = 0;

  function keep({ body }: UnreadAnswer): void {
    const others = holders.get(body) ?? 0;
    holders.set(body, others + 1);
    if (others === 0) bytes += body.length;
  }

  function forget(answer: UnreadAnswer): void {
    if (!waiting.delete(answer)) return;
    const { body } = answer;
    const others = (holders.get(body) ?? 1) - 1;
    if (others > 0) {
      holders.set(body, others);
      return;
    }
    holders.delete(body);
    bytes -= body.length;
  }

  return {
    add: (request, response, body) => {
      const added = { request, body };
      waiting.add(added);
      keep(added);
      afterSending(request, response, () => forget(added));
      for (const answer of waiting) {
        if (bytes <= maxBytes || answer === added) return;
        forget(answer);
        answer.request.socket.destroy();
      }
    },
  };
}
