import type { Task } from './protocol.js';

/** Whoever asked. */
export interface Client {
  /** Whether it went away, so that nobody waits for the answer any more. */
  readonly gone: () => boolean;
}

/** The answer to one task. */
export type Reply =
  | {
      readonly ok: true;
      /** The answer's body, UTF-8 JSON: a part of a larger buffer, which lives as long as the part does. */
      readonly body: Uint8Array;
      readonly times?: StageTimes;
      /**
       * Where the body is on loan: to be called when nothing reads it any more, since then its memory is used again. Calling
       * it twice does no harm.
       */
      readonly release?: () => void;
    }
  | {
      readonly ok: false;
      readonly code: 'dataset-unreadable';
      /** For the log. */
      readonly detail: string;
    };

/** Where an answer's time went. */
export interface StageTimes {
  /** Until a thread began with it, and on the way there and back. */
  readonly queueMs: number;
  /** The query itself. */
  readonly queryMs: number;
}

/** Why the pool gave no answer. But for `client-gone` all of them pass: the same request may be sent again. */
export class PoolError extends Error {
  override readonly name = 'PoolError';

  constructor(readonly code: 'queue-full' | 'deadline' | 'thread-lost' | 'client-gone' | 'stopped') {
    super(code);
  }
}

const MADE = new Map<PoolError['code'], PoolError>();

/**
 * The error of a code. Under overload there are thousands a second, and recording where each was made would take most
 * of its time.
 */
export function poolError(code: PoolError['code']): PoolError {
  let error = MADE.get(code);
  if (!error) {
    error = new PoolError(code);
    MADE.set(code, error);
  }
  return error;
}

/** A task that is not answered yet. */
export interface OpenRequest {
  readonly task: Task;
  readonly client: Client;
  readonly askedAtMs: number;
  /** Milliseconds that its query will take, about. */
  readonly expectedMs: number;
  /** Whether its answer, or an error, was given. */
  isOver: boolean;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}
