import { createNativeGate, shutNativeGate } from '../platform/native-gate.js';
import { createExpectedTimes, type ExpectedTimes } from './expected-times.js';
import { UP_MAX_MS } from './port-thread.js';
import type { Batch, MappedDataset } from './protocol.js';
import { type Assignment, openSeat, type Seat, type Waiter } from './seat.js';
import { within } from './within.js';

/** Worker threads, each of which answers one batch at a time, from any of the datasets that are attached. */
export interface Threads {
  /** The most threads at a time. One is kept; the others end when they have had nothing to do for a while. */
  readonly most: number;
  /** How long tasks take, whatever the dataset: a new one must not begin with guesses. */
  readonly expected: ExpectedTimes;
  /** Has the threads read a dataset in addition to those that they read already. The first thread starts soon after. */
  attach(dataset: MappedDataset): AttachedDataset;
  /** Terminates the threads. Waiters are not notified any more. */
  close(): Promise<void>;
}

/** A dataset that the threads read. */
export interface AttachedDataset {
  /** Gives a batch to a free thread, to a new one, or to the first that becomes free. */
  answer(batch: Batch, waiter: Waiter): void;
  /** Delivers answers that have arrived since the event loop last polled for messages. */
  takeAnswers(): void;
  /** Terminates the thread that works on this waiter's batch, whatever it is doing, unless it answers before. */
  end(waiter: Waiter): void;
  /** Resolves when no thread reads the dataset any more. Waiters are not notified any more. */
  detach(): Promise<void>;
}

export interface ThreadsOptions {
  readonly most: number;
  /** Called for each thread that could not be started, failed or had to be terminated. */
  readonly onThreadError: (error: unknown) => void;
  /** The compiled worker; set only by tests that run from sources. */
  readonly workerFile?: URL;
}

/** How long after the first dataset was attached the first thread starts, if no batch has needed it before. */
const START_AFTER_MS = 250;

/**
 * Opens a set of worker threads. The first starts a moment after the first dataset is attached: the service's first answers
 * have priority, and on two cores a starting thread would take one of the cores from them. Further threads start when
 * batches need them. Threads outlive datasets: a new thread takes some 0.4 seconds of a core until V8 has compiled what it
 * runs, and one that has run for a while needs some milliseconds to read another dataset.
 */
export function createThreads({ most, onThreadError, workerFile }: ThreadsOptions): Threads {
  const gate = createNativeGate(0);
  /** By number; a thread that starts is told of all of them. */
  const datasets = new Map<number, MappedDataset>();
  let lastNumber = 0;
  const seats = new Set<Seat>();
  /** The seats whose threads have not ended. */
  const started = new Set<Seat>();
  /** A stack: the seat that became free last is taken first, so that the others can become idle and end. */
  const free: Seat[] = [];
  /** Batches that wait for a thread: the pool of each dataset gives out as many batches at a time as there are threads. */
  const waiting: Assignment[] = [];
  let start: NodeJS.Timeout | undefined;
  let closing = false;

  return {
    most,
    expected: createExpectedTimes(),
    attach: ({ directory, mappings }) => {
      const number = ++lastNumber;
      // Nothing else of a dataset can be sent to a thread.
      const dataset: MappedDataset = { directory, mappings };
      datasets.set(number, dataset);
      for (const seat of seats) seat.attach(number, dataset);
      start ??= setTimeout(startAhead, START_AFTER_MS).unref();
      return attached(number);
    },
    close: async () => {
      closing = true;
      clearTimeout(start);
      await within(UP_MAX_MS, Promise.all(Array.from(started, ({ up }) => up)));
      for (const seat of [...seats]) seat.leave();
      await shutNativeGate(gate);
      await Promise.all(Array.from(started, (seat) => seat.destroy()));
    },
  };

  function attached(number: number): AttachedDataset {
    return {
      answer: (batch, waiter) => {
        waiting.push({ from: number, batch, waiter });
        giveOut();
      },
      takeAnswers: () => {
        for (const seat of seats) if (seat.assignment) seat.poll();
      },
      end: (waiter) => {
        const seat = [...seats].find(({ assignment }) => assignment?.waiter === waiter);
        // The thread may have answered by the time it can be terminated, and may even have the next batch.
        if (seat) void seat.terminate(() => seat.assignment?.waiter === waiter);
        else takeBack((assignment) => assignment.waiter === waiter)?.waiter.lost();
      },
      detach: async () => {
        datasets.delete(number);
        while (takeBack(({ from }) => from === number));
        await Promise.all(Array.from(seats, (seat) => seat.detach(number)));
        // Threads without a seat have been told to end, perhaps in the middle of a search.
        const ending = [...started].filter((seat) => !seats.has(seat));
        await within(UP_MAX_MS, Promise.all(ending.map(({ ended }) => ended)));
      },
    };
  }

  /** Gives the waiting batches to free threads, and to new ones as long as there may be more. */
  function giveOut(): void {
    while (waiting.length > 0 && !closing && (free.length > 0 || seats.size < most)) {
      const seat = free.pop() ?? tryToOpen();
      const assignment = waiting.shift();
      if (!assignment) return;
      if (seat) seat.give(assignment);
      else assignment.waiter.lost();
    }
  }

  /** Takes a batch that no thread has off the queue; undefined if none is like that. */
  function takeBack(isIt: (assignment: Assignment) => boolean): Assignment | undefined {
    const place = waiting.findIndex(isIt);
    return place < 0 ? undefined : waiting.splice(place, 1)[0];
  }

  /**
   * Starts the first thread, or replaces the last, before it is needed. (A thread that never came up is not replaced here
   * but by the next batch, which then fails with the reason.)
   */
  function startAhead(): void {
    if (seats.size > 0 || closing) return;
    const seat = tryToOpen();
    if (seat) free.push(seat);
  }

  /** Starts a thread. If none can be started, for example for want of a file descriptor, reports that. */
  function tryToOpen(): Seat | undefined {
    try {
      const seat = openSeat({
        gate,
        workerFile,
        onThreadError,
        onFree: (freed) => {
          free.push(freed);
          giveOut();
        },
        onIdle: (idle) => {
          // Not the last, nor one that has a batch: its answer will restart the time.
          if (!idle.assignment && seats.size > 1) idle.leave();
        },
        onClosed: (closed) => {
          seats.delete(closed);
          const place = free.indexOf(closed);
          if (place >= 0) free.splice(place, 1);
        },
        onLost: ({ cameUp }) => {
          giveOut();
          if (cameUp) startAhead();
        },
        onEnded: (ended) => started.delete(ended),
      });
      seats.add(seat);
      started.add(seat);
      for (const [number, dataset] of datasets) seat.attach(number, dataset);
      return seat;
    } catch (error) {
      onThreadError(error);
      return undefined;
    }
  }
}
