import type { NearbyQuery } from '../query/nearby.js';

/** Everything that passes between the main thread and its workers. */

/** What a worker is told when it starts. */
export interface WorkerSetup {
  /** The generation that it maps, for its whole life. */
  readonly datasetDirectory: string;
}

/** A query, by kind. */
export interface Task {
  readonly kind: 'nearby';
  readonly query: NearbyQuery;
}

/** Errors lose their class on the way between threads, so expected ones travel as values; a throw is a bug. */
export type Reply =
  | { readonly ok: true /** The answer's body, UTF-8 JSON. */; readonly body: Uint8Array }
  | { readonly ok: false; readonly code: 'dataset-unreadable' /** For the log. */; readonly detail: string };
