import type { Dataset } from '../format/dataset.js';
import { type GatedThread, startThreadBehindGate } from '../platform/native-gate.js';
import type { Distributions, PreparedDistributions } from './distributions.js';

export interface PrepareOptions {
  readonly dataset: Dataset;
  readonly distributions: Distributions;
  /** Told where it fails; then each distribution is computed when it is first asked for. */
  readonly onError: (error: unknown) => void;
}

/**
 * Computes, in a thread of its own, what a first narrative would wait for: some hundred milliseconds that requests
 * would feel. Gives what ends the thread, which must have ended before the dataset is released.
 */
export function prepareDistributions({ dataset, distributions, onError }: PrepareOptions): () => Promise<void> {
  const { directory, mappings } = dataset;
  const file = new URL('./sort-thread.js', import.meta.url);
  let started: GatedThread;
  try {
    started = startThreadBehindGate(file, { directory, mappings });
  } catch (error) {
    // The machine has no thread to spare.
    onError(error);
    return () => Promise.resolve();
  }
  const { thread, end } = started;
  thread.unref();
  thread.once('message', (prepared: PreparedDistributions) => distributions.adopt(prepared));
  thread.once('error', onError);
  return end;
}
