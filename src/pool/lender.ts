import type { Task } from './protocol.js';

/**
 * Memory into which a worker thread writes a batch's answers, and from which the main thread sends them. Transferring large
 * answers instead, each in memory of its own, costs a third more in page faults, and a millisecond of garbage collection,
 * which V8 schedules by the amount of such memory.
 */
export interface Loan {
  readonly memory: SharedArrayBuffer;
  /** An answer's bytes from `start` to `end` of the memory; a small answer is copied. */
  body(start: number, end: number): LentBody;
  /**
   * Ends the batch's own hold on the memory: to be called once {@link body} has been called for every answer that somebody
   * still waits for. These answers may still hold it.
   */
  release(): void;
  /** To be called when the thread was lost: it may go on writing for a while, so this memory is not used again. */
  lose(): void;
}

/** An answer's bytes. */
export interface LentBody {
  readonly body: Buffer;
  /** To be called when nothing reads the bytes any more; a second call does nothing. Undefined for a copy. */
  readonly release?: () => void;
}

/** Lends the same blocks of memory over and over. */
export interface Lender {
  /** Memory for a batch whose answers may be large; undefined for other batches, and while all memory is lent. */
  lend(tasks: readonly Task[]): Loan | undefined;
}

/**
 * The size of one loan. 2,000 providers are 1 MB, and two such answers share a batch. An answer that does not fit gets
 * memory of its own.
 */
const LOAN_BYTES = 4 * 1024 * 1024;
/**
 * How many loans there may be at a time. A loan lasts until the kernel has taken its answers, which takes long for slow
 * clients; while all loans wait for slow clients, further answers are transferred instead. The kernel allocates a page of
 * this memory only when it is first written.
 */
const LOANS_MAX = 6;
/** Smaller answers are copied: a small answer to a slow client should not hold a whole loan. */
const LENT_MIN_BYTES = 64 * 1024;
const LARGE: ReadonlySet<Task['kind']> = new Set<Task['kind']>(['providers-in-box', 'tract-features']);

export function createLender(): Lender {
  // A stack: the block returned last is lent first, since it is the likeliest to be in the processor's caches.
  const free: SharedArrayBuffer[] = [];
  let made = 0;
  const take = (): SharedArrayBuffer | undefined => {
    const returned = free.pop();
    if (returned || made === LOANS_MAX) return returned;
    made++;
    return new SharedArrayBuffer(LOAN_BYTES);
  };
  return {
    lend: (tasks) => {
      if (!tasks.some(({ kind }) => LARGE.has(kind))) return undefined;
      const memory = take();
      if (!memory) return undefined;
      const lose = (): void => {
        made--;
      };
      return createLoan(memory, () => free.push(memory), lose);
    },
  };
}

function createLoan(memory: SharedArrayBuffer, giveBack: () => void, lose: () => void): Loan {
  // The batch itself is one holder, and each answer that is not copied is another.
  let holders = 1;
  const release = (): void => {
    holders--;
    if (holders === 0) giveBack();
  };
  return {
    memory,
    body: (start, end) => {
      const body = Buffer.from(memory, start, end - start);
      if (body.byteLength < LENT_MIN_BYTES) return { body: Buffer.from(body) };
      holders++;
      let held = true;
      return {
        body,
        release: () => {
          if (held) release();
          held = false;
        },
      };
    },
    release,
    lose,
  };
}
