import type { Dataset } from '../format/dataset.js';
import { startThreadBehindGate } from '../platform/native-gate.js';
import type { Distributions, PreparedDistributions } from './distributions.js';

export interface PrepareOptions {
  readonly dataset: Dataset;
  readonly distributions: Distributions;
  /** Told where it fails; then each distribution is computed when it is first asked for. */
  readonly onError: (error: unknown) => void;
}

/**
 * Computes, in a thread of its own, what a first narrative would wait for: some hundred milliseconds that requests would feel.
 * Gives what ends the thread, which must have ended before the dataset is released.
 */
export function prepareDistributions({ dataset, distributions, onError }: PrepareOptions): () => Promise<void> {
  const { directory, mappings } = dataset;
  const file = new URL('./sort-thread.js', import.meta.url);
  const { thread, end } = startThreadBehindGate(file, { directory, mappings });
  thread.unref();
  thread.once('message', (prepared: PreparedDistributions) => distributions.adopt(prepared));
  thread.once('error', onError);
  return end;
}
