import { hash } from 'node:crypto';
import { geoidFromNumber, stateFipsOf } from '../core/geoid.js';
import { knownOrNull } from '../core/known-or-null.js';
import { SECTIONS } from '../core/metrics.js';
import type { Changes } from './changes.js';
import type { ChangeSet } from './delivery-records.js';
import type { DueEvent } from './event-stream.js';
import type { EventName, Subscription } from './subscription.js';

/** An event as it is sent (SPEC 6.2). */
export interface EventMessage {
  readonly event: EventName;
  readonly geoid: string;
  /** The same whenever this event is made anew: after a restart a receiver knows what it has had already. */
  readonly webhookId: string;
  /** JSON. */
  readonly body: string;
}

/** `updated_fields` for each set of sections, by its bits. */
const UPDATED_FIELDS = Array.from({ length: 1 << SECTIONS.length }, (_, mask) =>
  JSON.stringify(SECTIONS.filter((_section, at) => (mask & (1 << at)) !== 0)),
);

/** Makes the messages of one change set for one subscription. */
export function createMessages(changeSet: ChangeSet, { id, created_at }: Subscription, changes: Changes) {
  const timestamp = JSON.stringify(changeSet.at);
  // Numbers of subscriptions begin anew in a new state directory; times and generations do not.
  const family = JSON.stringify([id, created_at, changeSet]);
  return ({ at, exceeded }: DueEvent): EventMessage => {
    const geoid = geoidFromNumber(changes.diff.geoids[at] ?? Number.NaN);
    const event = exceeded ? 'threshold.exceeded' : 'data.updated';
    const about = exceeded
      ? `"geoid":"${geoid}",${exceededFields(changes, { at, exceeded })}`
      : `"geoid":"${geoid}","updated_fields":${UPDATED_FIELDS[changes.diff.sections[at] ?? 0]}`;
    return {
      event,
      geoid,
      webhookId: webhookIdOf(`${family} ${geoid} ${exceeded?.path ?? ''}`),
      body: `{"event":"${event}","timestamp":${timestamp},"data":{"state_fips":"${stateFipsOf(geoid)}",${about}}}`,
    };
  };
}

/** An event that says nothing but that events arrive. */
export function pingBody(timestamp: string): string {
  return JSON.stringify({ event: 'ping', timestamp, data: {} });
}

/** `msg_` and 128 bits that follow from what the event is about. */
export function webhookIdOf(about: string): string {
  return `msg_${hash('sha256', about, 'hex').slice(0, 32)}`;
}

function exceededFields(changes: Changes, { at, exceeded }: Required<DueEvent>): string {
  if (!exceeded) return '';
  const { metric, path, operator, value: threshold } = exceeded;
  const [before, after] = [changes.valueBefore(metric, at), changes.valueAfter(metric, at)].map(knownOrNull);
  const fields = { metric: path, operator, threshold, previous_value: before, value: after };
  return JSON.stringify(fields).slice(1, -1);
}
