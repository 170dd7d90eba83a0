import type Bottleneck from 'bottleneck';

/**
 * Makes a limiter measure time by a clock that nobody can set. By itself Bottleneck notes the system's time at which the
 * next job may start, so that after the clock was set back by an hour every further job would wait for an hour. Bottleneck
 * has no setting for that, hence the access to its private note.
 */
export function keepSteady(limiter: Bottleneck): Bottleneck {
  const store: unknown = Reflect.get(limiter, '_store');
  const isKnown = typeof store === 'object' && store !== null && typeof Reflect.get(store, NEXT_START) === 'number';
  if (!isKnown) throw new Error(`this version of Bottleneck keeps no ${NEXT_START}`);
  let nextStartMs = performance.now();
  Object.defineProperty(store, NEXT_START, {
    get: () => Date.now() + nextStartMs - performance.now(),
    set: (systemTimeMs: number) => {
      nextStartMs = performance.now() + systemTimeMs - Date.now();
    },
  });
  return limiter;
}

const NEXT_START = '_nextRequest';
