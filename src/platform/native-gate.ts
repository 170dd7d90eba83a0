/**
 * A thread may be terminated at any moment except while it is inside a native module or loads its modules: then Node 20 ends
 * the whole process ("FATAL ERROR: Error::ThrowAsJavaScriptException napi_throw", "FATAL ERROR: v8::Module::IsGraphAsync").
 * So threads that may be terminated from outside call native modules behind a gate, which the terminating thread shuts
 * first.
 */

import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Memory that one or more threads share with the thread that terminates them. */
export type NativeGate = SharedArrayBuffer;

/** The words of a gate: how many threads must not be terminated now, and how many callers keep it shut. */
const [INSIDE, SHUT] = [0, 1];

/** A native call takes milliseconds; loading a module takes some tens of them, or a second on a busy machine. */
const SHUT_MAX_MS = 10_000;
const LOOK_AGAIN_MS = 1;

/** The gate of this thread, if it has one. */
let passed: Int32Array | undefined;

/** A thread behind a gate of its own. */
export interface GatedThread {
  readonly thread: Worker;
  /** Terminates the thread; may be called at any moment. */
  end(): Promise<void>;
}

/** In the workerData of a thread behind a gate, which has to pass it before it calls anything native. */
export interface WithGate {
  readonly gate: NativeGate;
}

/** Starts a thread that may be terminated before it has finished, and must call {@link beginBehindGate} before all else. */
export function startThreadBehindGate<Data extends object>(
  file: URL,
  workerData: Data,
  options: Pick<WorkerOptions, 'transferList'> = {},
): GatedThread {
  const gate = createNativeGate(1);
  const told: Data & WithGate = { ...workerData, gate };
  const thread = new Worker(file, { ...options, workerData: told });
  // The thread's users listen for errors themselves. Once none does any more, a last error must not end the process.
  thread.on('error', () => {});
  // A thread that ended by itself must not keep `end` waiting.
  thread.once('exit', () => Atomics.store(new Int32Array(gate), INSIDE, 0));
  return {
    thread,
    end: async () => {
      await shutNativeGate(gate);
      await thread.terminate();
    },
  };
}

/** To be called by a gated thread once it has loaded its modules. */
export function beginBehindGate({ gate }: WithGate): void {
  passNativeGate(gate);
  Atomics.sub(new Int32Array(gate), INSIDE, 1);
}

/** Creates a gate; `loading` is the number of its threads that are about to load their modules. */
export function createNativeGate(loading: 0 | 1): NativeGate {
  const gate = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  gate[INSIDE] = loading;
  return gate.buffer;
}

/** Makes all calls of {@link native} in this thread pass a gate from now on. */
export function passNativeGate(gate: NativeGate): void {
  passed = new Int32Array(gate);
}

/** Runs code that calls or loads a native module. Blocks while this thread's gate is shut. */
export function native<T>(run: () => T): T {
  if (!passed) return run();
  enter(passed);
  try {
    return run();
  } finally {
    Atomics.sub(passed, INSIDE, 1);
  }
}

/**
 * Announces this thread before it checks the gate, so that either the thread that shuts the gate sees this one inside, or
 * this one sees the gate shut.
 */
function enter(gate: Int32Array): void {
  for (;;) {
    Atomics.add(gate, INSIDE, 1);
    const shut = Atomics.load(gate, SHUT);
    if (shut === 0) return;
    Atomics.sub(gate, INSIDE, 1);
    Atomics.wait(gate, SHUT, shut);
  }
}

/**
 * Shuts a gate and waits until no thread is inside. Returns a function that opens it again for the threads that are not
 * terminated.
 */
export async function shutNativeGate(memory: NativeGate): Promise<() => void> {
  const gate = new Int32Array(memory);
  Atomics.add(gate, SHUT, 1);
  const untilMs = performance.now() + SHUT_MAX_MS;
  while (Atomics.load(gate, INSIDE) > 0 && performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return () => {
    Atomics.sub(gate, SHUT, 1);
    Atomics.notify(gate, SHUT);
  };
}
