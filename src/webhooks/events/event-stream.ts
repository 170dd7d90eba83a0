import { firstAtLeast } from '../../core/first-at-least.js';
import type { Position } from '../delivery-records.js';
import type { Changes } from './changes.js';
import { meets, type Selection, type WatchedMetric } from './selection.js';

/** The next event: `at` is its tract's position in the diff; `exceeded` is the metric of a `threshold.exceeded` event. */
export interface DueEvent {
  readonly at: number;
  readonly exceeded: WatchedMetric | undefined;
}

/**
 * The events of one change set for one subscription, starting at any position. They come by ascending GEOID; a tract's
 * `data.updated` comes before its `threshold.exceeded` events, which follow the order of METRICS. Events are made lazily.
 */
export interface EventStream {
  /** The next event, the same one until {@link EventStream.advance}; undefined at the end. */
  current(): DueEvent | undefined;
  /** Moves past the current event. */
  advance(): void;
  /** Where a later stream has to start to continue after the events done so far. */
  position(): Position;
  /** How many changed tracts are not done yet. */
  waitingTracts(): number;
}

export function openEventStream(changes: Changes, selection: Selection, from: Position): EventStream {
  const { geoids } = changes.diff;
  let at = firstAtLeast(geoids, from.geoid);
  let done = geoids[at] === from.geoid ? from.eventsDone : 0;
  let ofTract: readonly DueEvent[] | undefined;

  const current = (): DueEvent | undefined => {
    for (; at < geoids.length; at++, done = 0, ofTract = undefined) {
      ofTract ??= eventsOf(changes, selection, at);
      const due = ofTract[done];
      if (due) return due;
    }
    return undefined;
  };
  return {
    current,
    advance: () => {
      if (current()) done++;
    },
    position: () => ({ geoid: geoids[at] ?? Number.MAX_SAFE_INTEGER, eventsDone: done }),
    waitingTracts: () => geoids.length - at,
  };
}

/** Counts the events of each kind that a change set yields for a subscription. */
export function countEvents(changes: Changes, selection: Selection): { updates: number; exceeded: number } {
  let [updates, exceeded] = [0, 0];
  for (let at = 0; at < changes.diff.geoids.length; at++) {
    for (const event of eventsOf(changes, selection, at)) {
      if (event.exceeded) exceeded++;
      else updates++;
    }
  }
  return { updates, exceeded };
}

function eventsOf(changes: Changes, { updates, watched, includes }: Selection, at: number): DueEvent[] {
  if (!includes(changes.diff.geoids[at] ?? Number.NaN)) return [];
  const events: DueEvent[] = updates ? [{ at, exceeded: undefined }] : [];
  for (const exceeded of watched) {
    const { metric } = exceeded;
    const isMet = meets(changes.valueAfter(metric, at), exceeded);
    if (isMet && !meets(changes.valueBefore(metric, at), exceeded)) events.push({ at, exceeded });
  }
  return events;
}
