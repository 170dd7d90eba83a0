import type { Dataset } from '../format/dataset.js';
import type { NativeGate } from '../platform/native-gate.js';
import type { NearbyQuery } from '../query/nearby.js';
import type { ProvidersInBoxQuery, ProvidersInTractQuery, ProvidersNearQuery } from '../query/providers.js';
import type { TractFeaturesQuery } from '../query/tract-geojson.js';

/** Everything that passes between the main thread and its workers. */

/** What a worker is told when it starts. */
export interface WorkerSetup {
  /** The generation that it reads for its whole life, as the main thread has mapped it. */
  readonly dataset: Pick<Dataset, 'directory' | 'mappings'>;
  /** Shut while a thread is ended. */
  readonly gate: NativeGate;
}

/** A query, by kind. */
export type Task =
  | { readonly kind: 'nearby'; readonly query: NearbyQuery }
  /** Of the tract in a row of the generation. */
  | { readonly kind: 'rankings' | 'trends'; readonly row: number }
  | { readonly kind: 'providers-near'; readonly query: ProvidersNearQuery }
  | { readonly kind: 'providers-in-tract'; readonly query: ProvidersInTractQuery }
  | { readonly kind: 'providers-in-box'; readonly query: ProvidersInBoxQuery }
  | { readonly kind: 'tract-features'; readonly query: TractFeaturesQuery }
  | { readonly kind: 'geocode'; readonly addresses: readonly string[] };

/** Tasks that travel to a worker together: each message costs as much as a small search. */
export interface Batch {
  readonly tasks: readonly Task[];
  /** Memory for their answers, as far as it suffices. */
  readonly lent?: SharedArrayBuffer;
}

/** Stands for the lent memory where an outcome names a buffer. */
export const LENT = -1;

/** What a thread says first, when it has loaded its modules: from then on it may be ended. */
export const UP = 'up';

/** Errors lose their class on the way between threads, so expected ones travel as values. */
export type BatchReply =
  | {
      readonly ok: true;
      /** The memory that the bodies lie in, handed over and not copied: one buffer but for unusually large answers. */
      readonly buffers: readonly ArrayBuffer[];
      /** What became of each task, in their order. */
      readonly outcomes: readonly Outcome[];
    }
  | {
      readonly ok: false;
      readonly code: 'dataset-unreadable';
      /** For the log. */
      readonly detail: string;
    };

/**
 * Where a task's body, UTF-8 JSON, lies in the batch's buffers, or in the memory that was {@link LENT}, and how long its
 * query took; or what was thrown, which is a bug and fails no other task of the batch. Tuples, since each name in an object
 * travels with it.
 */
export type Outcome =
  | readonly [buffer: number, start: number, end: number, queryMs: number]
  | { readonly thrown: Error };
