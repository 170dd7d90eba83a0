import { hash } from 'node:crypto';
import { geoidFromNumber, stateFipsOf } from '../../core/geoid.js';
import { knownOrNull } from '../../core/known-or-null.js';
import { SECTIONS } from '../../core/metrics.js';
import type { ChangeSet } from '../delivery-records.js';
import type { EventName, Subscription } from '../subscription.js';
import type { Changes } from './changes.js';
import type { DueEvent } from './event-stream.js';
import type { WatchedMetric } from './selection.js';

/** An event as it is sent (SPEC 6.2). */
export interface EventMessage {
  readonly event: EventName;
  readonly geoid: string;
  /** The same each time this event is made, so that receivers recognize an event that is repeated after a restart. */
  readonly webhookId: string;
  /** JSON. */
  readonly body: string;
}

/** The JSON of `updated_fields`, indexed by the bit mask of changed sections. */
const UPDATED_FIELDS = Array.from({ length: 1 << SECTIONS.length }, (_, mask) =>
  JSON.stringify(SECTIONS.filter((_section, at) => (mask & (1 << at)) !== 0)),
);

/** Makes the messages of one change set for one subscription. */
export function createMessages(changeSet: ChangeSet, { id, created_at }: Subscription, changes: Changes) {
  const timestamp = JSON.stringify(changeSet.at);
  // Subscription ids start from 1 again in a new state directory; creation times and generations keep the ids unique.
  const family = JSON.stringify([id, created_at, changeSet]);
  return ({ at, exceeded }: DueEvent): EventMessage => {
    const geoid = geoidFromNumber(changes.diff.geoids[at] ?? Number.NaN);
    const event = exceeded ? 'threshold.exceeded' : 'data.updated';
    const about = exceeded
      ? `"geoid":"${geoid}",${exceededFields(changes, at, exceeded)}`
      : `"geoid":"${geoid}","updated_fields":${UPDATED_FIELDS[changes.diff.sections[at] ?? 0]}`;
    return {
      event,
      geoid,
      webhookId: webhookIdOf(`${family} ${geoid} ${exceeded?.path ?? ''}`),
      body: `{"event":"${event}","timestamp":${timestamp},"data":{"state_fips":"${stateFipsOf(geoid)}",${about}}}`,
    };
  };
}

/** The body of a `ping` event, which only tests that events arrive. */
export function pingBody(timestamp: string): string {
  return JSON.stringify({ event: 'ping', timestamp, data: {} });
}

/** `msg_` and 128 bits derived from the text that identifies the event. */
export function webhookIdOf(about: string): string {
  return `msg_${hash('sha256', about, 'hex').slice(0, 32)}`;
}

function exceededFields(
  changes: Changes,
  at: number,
  { metric, path, operator, value: threshold }: WatchedMetric,
): string {
  const [before, after] = [changes.valueBefore(metric, at), changes.valueAfter(metric, at)].map(knownOrNull);
  const fields = { metric: path, operator, threshold, previous_value: before, value: after };
  return JSON.stringify(fields).slice(1, -1);
}
