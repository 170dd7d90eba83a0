import { z } from 'zod';
import { GEOID_PATTERN, STATE_FIPS_PATTERN } from '../../core/geoid.js';
import { SECTIONS } from '../../core/metrics.js';
import { THRESHOLD_OPERATORS } from '../../webhooks/subscription.js';
import { METRIC_PATHS, numberOrNull } from './values.js';

/** The bodies of webhook events (SPEC 6.2), which src/webhooks/events/event-message.ts writes. */

const timestamp = z.iso.datetime({ offset: true }).meta({
  description: 'When the data changed; the same for all events of that change, and for all attempts.',
});
const place = {
  state_fips: z.string().regex(STATE_FIPS_PATTERN),
  geoid: z.string().regex(GEOID_PATTERN),
};

export const dataUpdatedSchema = z
  .strictObject({
    event: z.literal('data.updated'),
    timestamp,
    data: z
      .strictObject({
        ...place,
        updated_fields: z
          .array(z.enum(SECTIONS))
          .min(1)
          .meta({
            description:
              'The parts of the tract’s record that changed: `demographics` (`total_population` to `median_age`), ' +
              '`svi_themes`, `places_measures`, `epa_data`, `sdoh_index`. For a new or removed tract, all its parts.',
          }),
      })
      .meta({ id: 'UpdatedTract' }),
  })
  .meta({ id: 'DataUpdatedEvent' });

export const thresholdExceededSchema = z
  .strictObject({
    event: z.literal('threshold.exceeded'),
    timestamp,
    data: z
      .strictObject({
        ...place,
        metric: z.enum(METRIC_PATHS),
        operator: z.enum(THRESHOLD_OPERATORS),
        threshold: z.number().meta({ description: 'The threshold of the subscription.' }),
        previous_value: numberOrNull.meta({
          description: 'The value before the change, which did not meet the condition; null if it was unknown.',
        }),
        value: z.number().meta({ description: 'The value after the change, which meets the condition.' }),
      })
      .meta({ id: 'ExceededThreshold' }),
  })
  .meta({ id: 'ThresholdExceededEvent' });
