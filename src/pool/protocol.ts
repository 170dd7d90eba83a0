import type { Dataset } from '../format/dataset.js';
import type { WithinQuery } from '../query/around/points-within.js';
import type { ProvidersInBoxQuery, ProvidersInTractQuery, ProvidersNearQuery } from '../query/providers.js';
import type { TractFeaturesQuery } from '../query/tract-geojson.js';

/** The messages that the main thread and its worker threads exchange. */

/** A dataset in the main thread's mapping. */
export type MappedDataset = Pick<Dataset, 'directory' | 'mappings'>;

/** What a worker thread is told, about datasets that the main thread has numbered. Each message is dealt with in turn. */
export type Order =
  /** To read a dataset, until it is to let go of it. */
  | { readonly attach: number; readonly dataset: MappedDataset }
  /** To answer a batch from a dataset that it has attached. */
  | SentBatch
  /** To read a dataset no more, and to say so. */
  | { readonly detach: number };

/** What a worker thread says. */
export type Message = typeof UP | BatchReply | { readonly detached: number };

/** One query, tagged with its kind. */
export type Task =
  | { readonly kind: 'nearby'; readonly query: WithinQuery }
  /** About the tract in this row of the generation. */
  | { readonly kind: 'rankings' | 'trends'; readonly row: number }
  | { readonly kind: 'providers-near'; readonly query: ProvidersNearQuery }
  | { readonly kind: 'providers-in-tract'; readonly query: ProvidersInTractQuery }
  | { readonly kind: 'providers-in-box'; readonly query: ProvidersInBoxQuery }
  | { readonly kind: 'tract-features'; readonly query: TractFeaturesQuery }
  | { readonly kind: 'geocode'; readonly addresses: readonly string[] };

/** Tasks that are sent to a worker in one message, since a message costs as much as a small search. */
export interface Batch {
  readonly tasks: readonly Task[];
  /** Memory to write the answers into; answers that do not fit get memory of their own. */
  readonly lent?: SharedArrayBuffer;
}

/** A batch as it is sent, with the number of its dataset. */
export interface SentBatch extends Omit<Batch, 'tasks'> {
  readonly from: number;
  readonly tasks: readonly SentTask[];
}

/**
 * A task as it is sent: a small search, which come by the thousands, as a tuple, since an object would be sent along with its
 * property names. Sending and reading eight of them takes 6 µs instead of 22.
 */
export type SentTask =
  | Exclude<Task, { readonly kind: 'nearby' }>
  | readonly [lat: number, lng: number, radiusMiles: number, limit: number, offset: number];

export function toSent(task: Task): SentTask {
  if (task.kind !== 'nearby') return task;
  const { center, radiusMiles, limit, offset } = task.query;
  return [center.lat, center.lng, radiusMiles, limit, offset];
}

export function fromSent(sent: SentTask): Task {
  if ('kind' in sent) return sent;
  const [lat, lng, radiusMiles, limit, offset] = sent;
  return { kind: 'nearby', query: { center: { lat, lng }, radiusMiles, limit, offset } };
}

/** The buffer index in an {@link Outcome} that stands for the batch's lent memory. */
export const LENT = -1;

/** A thread's first message, sent once it has loaded its modules: from then on it may be terminated. */
export const UP = 'up';

/** An error loses its class when it is sent between threads, so expected errors are sent as values. */
export type BatchReply =
  | {
      readonly ok: true;
      /** The memory that holds the bodies, transferred and not copied: one buffer, or more for unusually large answers. */
      readonly buffers: readonly ArrayBuffer[];
      /** One outcome per task, in the order of the tasks. */
      readonly outcomes: readonly Outcome[];
    }
  | Unreadable;

/** The thread cannot read the dataset, so that it can answer nothing. */
export interface Unreadable {
  readonly ok: false;
  readonly code: 'dataset-unreadable';
  /** For the log. */
  readonly detail: string;
}

/**
 * For a task that was answered: where its body (UTF-8 JSON) lies in the batch's buffers or in the {@link LENT} memory, and
 * how long its query took. For a task that threw, which is a bug: the error; the batch's other tasks are still answered.
 * A tuple, since an object would be sent along with its property names.
 */
export type Outcome =
  | readonly [buffer: number, start: number, end: number, queryMs: number]
  | { readonly thrown: Error };
