import { firstAtLeast } from '../core/first-at-least.js';
import type { Changes } from './changes.js';
import type { Position } from './delivery-records.js';
import { meets, type Selection, type WatchedMetric } from './selection.js';

/** An event that is due, by the position of its tract in the diff; `exceeded` tells the metric of a `threshold.exceeded`. */
export interface DueEvent {
  readonly at: number;
  readonly exceeded: WatchedMetric | undefined;
}

/**
 * The events of one change set for one subscription, one by one, from any position on: by ascending GEOID, a tract's
 * `data.updated` before its `threshold.exceeded`, these in the order of METRICS. Nothing is made before it is asked for.
 */
export interface EventStream {
  /** The event that is due, the same until {@link EventStream.advance}; undefined at the end. */
  current(): DueEvent | undefined;
  /** The current event is done. */
  advance(): void;
  /** Where to go on after all that is done. */
  position(): Position;
  /** Changed tracts that are not done. */
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

/** How many events of each kind a change set has for a subscription. */
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
