import { FetchError } from './fetch-error.js';

/** So often in a row a file may fail without a byte more of it. */
const ATTEMPTS = 5;
/** So often what came may be damaged: a server that sends it twice has it like that. */
const DAMAGED_ATTEMPTS = 2;

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;

/** One attempt's outcome, as far as it matters for the next. */
export interface Attempting<T> {
  /** One attempt. */
  attempt(): Promise<T>;
  /** How many bytes of the file are there: an attempt that brought some was not in vain. */
  progressBytes(): number;
  /** Waits before the next attempt; `restMs` is what the server asked for. */
  wait(delayMs: number, failure: FetchError): Promise<void>;
  readonly signal: AbortSignal;
  /** 0 to 1. */
  readonly random: () => number;
}

/** Tries until it succeeds, or until trying again is no use. Throws the last attempt's `FetchError`. */
export async function withRetries<T>({ attempt, progressBytes, wait, signal, random }: Attempting<T>): Promise<T> {
  let fruitless = 0;
  let damaged = 0;
  for (;;) {
    const before = progressBytes();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      const { failure, restMs } = error;
      if (failure === 'damaged') damaged++;
      else if (failure !== 'transient') throw error;
      fruitless = failure === 'transient' && progressBytes() > before ? 1 : fruitless + 1;
      if (fruitless >= ATTEMPTS || damaged >= DAMAGED_ATTEMPTS || signal.aborted) throw error;
      await wait(delayMs(fruitless, restMs, random), error);
    }
  }
}

/** 0.5 to 1 s, 1 to 2 s, … so that those that failed together do not come again together; never before the server wants it. */
function delayMs(fruitless: number, restMs: number | undefined, random: () => number): number {
  const backoffMs = Math.min(FIRST_DELAY_MS * 2 ** (fruitless - 1), LONGEST_DELAY_MS) * (0.5 + random() / 2);
  return restMs === undefined ? backoffMs : restMs + backoffMs / 10;
}
