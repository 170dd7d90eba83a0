import { setTimeout } from 'node:timers/promises';

/** Work that yields after each of its steps. A step that throws ends it. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps without a pause. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** How many times as long as a step the pause after it is. */
const REST = 4;

/** Runs the steps in at most a fifth of the thread's time: other work waits for one step, and not for all. */
export async function runBeside<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const startedAtMs = performance.now();
    const step = steps.next();
    if (step.done) return step.value;
    await setTimeout(REST * (performance.now() - startedAtMs));
  }
}
