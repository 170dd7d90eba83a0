import type { Dataset } from '../format/dataset.js';
import { type GatedThread, startThreadBehindGate } from '../platform/native-gate.js';
import type { Distributions, PreparedDistributions } from './distributions.js';

export interface PrepareOptions {
  readonly dataset: Dataset;
  readonly distributions: Distributions;
  /** Called if the preparation fails; each distribution is then computed on first use. */
  readonly onError: (error: unknown) => void;
}

/**
 * Computes in a separate thread what the first narrative would wait for: some hundred milliseconds that would delay
 * requests. Returns a function that ends the thread, which must have ended before the dataset is released.
 */
export function prepareDistributions({ dataset, distributions, onError }: PrepareOptions): () => Promise<void> {
  const { directory, mappings } = dataset;
  const file = new URL('./sort-thread.js', import.meta.url);
  let started: GatedThread;
  try {
    started = startThreadBehindGate(file, { directory, mappings });
  } catch (error) {
    // The system could not start another thread.
    onError(error);
    return () => Promise.resolve();
  }
  const { thread, end } = started;
  thread.unref();
  thread.once('message', (prepared: PreparedDistributions) => distributions.adopt(prepared));
  thread.once('error', onError);
  return end;
}
