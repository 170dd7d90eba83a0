import { setTimeout } from 'node:timers/promises';

/** Work that stops after each of its steps. A step that throws ends it. */
export type Steps<T> = Generator<void, T, void>;

/** Does it without a stop. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** How much longer than a step what else is to be done has until the next. */
const REST = 4;

/** Does it in at most a fifth of the thread's time: whatever else is to be done waits for one step, and not for all. */
export async function runBeside<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const startedAtMs = performance.now();
    const step = steps.next();
    if (step.done) return step.value;
    await setTimeout(REST * (performance.now() - startedAtMs));
  }
}
