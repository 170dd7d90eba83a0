import type { Request, Response } from 'express';
import { afterSending } from './after-sending.js';

/** Answers that clients have not read yet, which have to be kept until they have. */
export interface UnreadAnswers {
  /** Counts an answer until it is sent. If there are too many bytes then, gives up those that have waited longest. */
  add(request: Request, response: Response, body: Uint8Array | string): void;
}

interface UnreadAnswer {
  readonly request: Request;
  readonly body: Uint8Array | string;
}

/** What an answer takes in memory besides its body: its head, and the objects of its request. */
const BYTES_BESIDES_BODY = 4096;

/**
 * Without a bound, a few dozen clients that take their maps slowly, or not at all, would use up all memory. Those that have
 * waited longest are disconnected rather than new ones refused: a client that never reads must not keep others from maps.
 */
export function createUnreadAnswers(maxBytes: number): UnreadAnswers {
  const waiting = new Set<UnreadAnswer>();
  /** How many answers wait with the same bytes, such as those of a cached answer, which are in memory once. */
  const holders = new Map<Uint8Array, number>();
  let bytes = 0;

  function count(body: Uint8Array | string, by: 1 | -1): void {
    bytes += by * BYTES_BESIDES_BODY;
    // Of a text the system is given a copy.
    if (typeof body === 'string') {
      bytes += by * body.length;
      return;
    }
    const before = holders.get(body) ?? 0;
    const after = before + by;
    if (after === 0) holders.delete(body);
    else holders.set(body, after);
    if (before === 0 || after === 0) bytes += by * body.length;
  }

  function forget(answer: UnreadAnswer): void {
    if (waiting.delete(answer)) count(answer.body, -1);
  }

  return {
    add: (request, response, body) => {
      const added = { request, body };
      waiting.add(added);
      count(body, 1);
      afterSending(request, response, () => forget(added));
      for (const answer of waiting) {
        if (bytes <= maxBytes || answer === added) return;
        forget(answer);
        answer.request.socket.destroy();
      }
    },
  };
}
