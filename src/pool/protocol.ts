import type { NearbyQuery } from '../query/nearby.js';
import type { ProvidersInBoxQuery, ProvidersInTractQuery, ProvidersNearQuery } from '../query/providers.js';
import type { TractFeaturesQuery } from '../query/tract-geojson.js';

/** Everything that passes between the main thread and its workers. */

/** What a worker is told when it starts. */
export interface WorkerSetup {
  /** The generation that it maps, for its whole life. */
  readonly datasetDirectory: string;
}

/** A query, by kind. */
export type Task =
  | { readonly kind: 'nearby'; readonly query: NearbyQuery }
  | { readonly kind: 'rankings' /** The tract's row in the generation. */; readonly row: number }
  | { readonly kind: 'providers-near'; readonly query: ProvidersNearQuery }
  | { readonly kind: 'providers-in-tract'; readonly query: ProvidersInTractQuery }
  | { readonly kind: 'providers-in-box'; readonly query: ProvidersInBoxQuery }
  | { readonly kind: 'tract-features'; readonly query: TractFeaturesQuery };

/** Errors lose their class on the way between threads, so expected ones travel as values; a throw is a bug. */
export type Reply =
  | { readonly ok: true /** The answer's body, UTF-8 JSON. */; readonly body: Uint8Array }
  | { readonly ok: false; readonly code: 'dataset-unreadable' /** For the log. */; readonly detail: string };
