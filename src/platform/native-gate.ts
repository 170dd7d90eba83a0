/**
 * A thread may be ended at any moment but while it is in a native module, or loads its modules: then Node 20 ends the whole
 * process ("FATAL ERROR: Error::ThrowAsJavaScriptException napi_throw", "FATAL ERROR: v8::Module::IsGraphAsync"). So threads
 * that are ended from outside call native modules behind a gate, which whoever ends them shuts before.
 */

import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Memory that a thread, or several, and whoever ends them share. */
export type NativeGate = SharedArrayBuffer;

/** How many threads must not be ended now, and how many keep the gate shut. */
const [INSIDE, SHUT] = [0, 1];

/** A native call takes milliseconds, the loading of a module some tens, or a second on a busy machine. */
const SHUT_MAX_MS = 10_000;
const LOOK_AGAIN_MS = 1;

/** This thread's, where it has one. */
let passed: Int32Array | undefined;

/** A thread behind a gate of its own, and how it is ended. */
export interface GatedThread {
  readonly thread: Worker;
  /** At any moment. */
  end(): Promise<void>;
}

/** What such a thread is told beside its own: it must {@link beginBehindGate} before it does anything. */
export interface WithGate {
  readonly gate: NativeGate;
}

/** Starts a thread that may be ended before it has come to its end. */
export function startThreadBehindGate<Data extends object>(
  file: URL,
  workerData: Data,
  options: Pick<WorkerOptions, 'transferList'> = {},
): GatedThread {
  const gate = createNativeGate(1);
  const told: Data & WithGate = { ...workerData, gate };
  const thread = new Worker(file, { ...options, workerData: told });
  // Whoever waits for it listens, too. When nobody does any more, an error of its last moments is nobody's.
  thread.on('error', () => {});
  // One that ended by itself keeps nobody waiting.
  thread.once('exit', () => Atomics.store(new Int32Array(gate), INSIDE, 0));
  return {
    thread,
    end: async () => {
      await shutNativeGate(gate);
      await thread.terminate();
    },
  };
}

/** To be called by such a thread when it has loaded its modules. */
export function beginBehindGate({ gate }: WithGate): void {
  passNativeGate(gate);
  Atomics.sub(new Int32Array(gate), INSIDE, 1);
}

/** A gate for threads of which so many are about to load their modules. */
export function createNativeGate(loading: 0 | 1): NativeGate {
  const gate = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  gate[INSIDE] = loading;
  return gate.buffer;
}

/** Lets all that this thread does by {@link native} pass a gate from now on. */
export function passNativeGate(gate: NativeGate): void {
  passed = new Int32Array(gate);
}

/** Runs what calls or loads a native module. In a thread whose gate is shut it waits. */
export function native<T>(run: () => T): T {
  if (!passed) return run();
  enter(passed);
  try {
    return run();
  } finally {
    Atomics.sub(passed, INSIDE, 1);
  }
}

/** It says that it is in before it looks, so that whoever shuts the gate either sees it or is seen. */
function enter(gate: Int32Array): void {
  for (;;) {
    Atomics.add(gate, INSIDE, 1);
    const shut = Atomics.load(gate, SHUT);
    if (shut === 0) return;
    Atomics.sub(gate, INSIDE, 1);
    Atomics.wait(gate, SHUT, shut);
  }
}

/** Shuts a gate and waits until nobody is in. Gives what opens it again, for the threads that are not ended. */
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
