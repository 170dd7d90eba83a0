import type { Task } from './protocol.js';

/**
 * Memory that a worker thread writes a batch's answers into and the main thread sends them from. Large answers that were
 * handed over instead, each in memory of its own, cost a third more in page faults and a millisecond of V8's time:
 * it collects garbage by how much such memory there is.
 */
export interface Loan {
  readonly memory: SharedArrayBuffer;
  /** An answer that lies in it. */
  body(start: number, end: number): LentBody;
  /** All answers that somebody waits for have been taken out of it. */
  allTaken(): void;
  /** The thread was given up, and may go on writing for a while: this memory is not used again. */
  lose(): void;
}

/** An answer's bytes. */
export interface LentBody {
  readonly body: Uint8Array;
  /** To be called when nothing reads them any more; a second time it does nothing. Copies have none. */
  readonly release?: () => void;
}

/** Lends the same memory over and over. */
export interface Lender {
  /** Memory for a batch whose answers may be large; undefined for others, and while all of it is lent. */
  lend(tasks: readonly Task[]): Loan | undefined;
}

/** 2,000 providers are 1 MB, and two such answers come together. What does not fit in gets memory of its own. */
const LOAN_BYTES = 4 * 1024 * 1024;
/**
 * An answer is on loan until the system has taken it, which slow clients make long; while all of these wait for such,
 * answers are handed over. The system gives a page of it only when it is first written.
 */
const LOANS_MAX = 6;
/** Less is copied: a small answer to a slow client should not hold all of the memory. */
const LENT_MIN_BYTES = 64 * 1024;
const LARGE: ReadonlySet<Task['kind']> = new Set<Task['kind']>(['providers-in-box', 'tract-features']);

export function createLender(): Lender {
  // The last returned is lent first: it is the likeliest to be in the processor's caches.
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
  // The batch itself, and the answers that are not copied.
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
    allTaken: release,
    lose,
  };
}
