import { obtain } from '../core/obtain.js';
import type { Task, Unreadable } from './protocol.js';

/** The client that a task is answered for. */
export interface Client {
  /** Whether the client has disconnected, so that nobody waits for the answer any more. */
  readonly gone: () => boolean;
}

/** Stands for a client that waits whatever happens. */
export const ALWAYS_THERE: Client = { gone: () => false };

/** The answer to one task. */
export type Reply =
  | {
      readonly ok: true;
      /** The answer's body, UTF-8 JSON: a view into a larger buffer, which it keeps alive. */
      readonly body: Buffer;
      readonly times?: StageTimes;
      /**
       * Set where the body lies in lent memory: to be called when nothing reads the body any more, after which its memory is
       * reused. Calling it twice does no harm.
       */
      readonly release?: () => void;
    }
  | Unreadable;

/** How long the stages of answering a task took. */
export interface StageTimes {
  /** Waiting until a thread began the query, and in transit to the thread and back. */
  readonly queueMs: number;
  /** The query itself. */
  readonly queryMs: number;
}

/** Why the pool gave no answer. All codes but `client-gone` are transient: the same request may be sent again. */
export class PoolError extends Error {
  override readonly name = 'PoolError';

  constructor(readonly code: 'queue-full' | 'deadline' | 'thread-lost' | 'client-gone' | 'stopped') {
    super(code);
  }
}

const MADE = new Map<PoolError['code'], PoolError>();

/**
 * The one error that is shared by all failures with this code. Under overload there are thousands of them a second, and
 * capturing a stack trace for each would take most of the time that a refusal costs.
 */
export function poolError(code: PoolError['code']): PoolError {
  return obtain(MADE, code, () => new PoolError(code));
}

/** A task that has been admitted, and how to settle it. */
export interface OpenRequest {
  readonly task: Task;
  readonly client: Client;
  /** Whether it shares its batch with no other. */
  readonly isAlone: boolean;
  readonly askedAtMs: number;
  /** About how many milliseconds its query will take. */
  readonly expectedMs: number;
  /** Whether it has been settled, with an answer or an error. */
  isOver: boolean;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}
