import type { z } from 'zod';
import { ATTEMPT_TIMEOUT_MS, DELIVERY_LIMITS } from '../webhooks/delivery/delivery-limits.js';
import { createSign, type SigningHeaders } from '../webhooks/delivery/signature.js';
import { webhookIdOf } from '../webhooks/events/event-message.js';
import { dataUpdatedSchema, thresholdExceededSchema } from './schemas/webhook-events.js';

/** The API reference's description of a webhook event. */
export interface DeliveryDescription {
  /** Identifies the event where its name, which contains a dot, is not allowed. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** Schema of the body. */
  readonly schema: z.ZodType;
  readonly example: z.output<typeof dataUpdatedSchema> | z.output<typeof thresholdExceededSchema>;
}

/** The secret that signs the examples, and the time of their delivery attempt. */
export const EXAMPLE_SECRET = 'a long random text';
const EXAMPLE_TIME = '2026-01-31T12:00:00.000+00:00';

/** The events that receivers get. */
export const DELIVERIES: readonly DeliveryDescription[] = [
  {
    id: 'dataUpdated',
    summary: 'A tract’s data changed',
    description: 'One event for each changed tract that passes the subscription’s filters.',
    schema: dataUpdatedSchema,
    example: {
      event: 'data.updated',
      timestamp: EXAMPLE_TIME,
      data: { state_fips: '11', geoid: '11001001704', updated_fields: ['places_measures', 'epa_data'] },
    },
  },
  {
    id: 'thresholdExceeded',
    summary: 'A tract’s metric now meets a condition',
    description:
      'The metric meets a condition of the filters’ `thresholds` after the change, but did not before it. ' +
      'It follows the tract’s `data.updated` if the subscription has both.',
    schema: thresholdExceededSchema,
    example: {
      event: 'threshold.exceeded',
      timestamp: EXAMPLE_TIME,
      data: {
        state_fips: '11',
        geoid: '11001001704',
        metric: 'poverty_rate',
        operator: '>=',
        threshold: 20,
        previous_value: 19.46,
        value: 20.31,
      },
    },
  },
];

/** The headers of an example, signed with {@link EXAMPLE_SECRET}. */
export function exampleHeaders({ example }: Pick<DeliveryDescription, 'example'>): SigningHeaders {
  // Byte for byte as it is sent.
  const body = JSON.stringify(example);
  return createSign(EXAMPLE_SECRET)(webhookIdOf(body), Date.parse(EXAMPLE_TIME), body);
}

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;
const [SECOND_MS = 0, THIRD_MS = 0] = DELIVERY_LIMITS.retryDelaysMs;
const { coolDownMs, pauseAfterFailures, deadLettersMax } = DELIVERY_LIMITS;

/** What applies to all events, in the subset of Markdown that the reference renders. */
export const DELIVERIES_ABOUT = `Each event is sent to the subscription’s \`url\` as one POST with a JSON body.

- Any 2xx within ${seconds(ATTEMPT_TIMEOUT_MS)} acknowledges an event; do the work afterwards. Only the status of the answer is read.
- 5xx, network errors and timeouts are retried: ${DELIVERY_LIMITS.retryDelaysMs.length + 1} attempts in all, the second after ${seconds(SECOND_MS)} and the third ${seconds(THIRD_MS)} later. Any other answer is final: 4xx, and redirects, which are not followed.
- A subscription gets its events one at a time, each after the previous one was acknowledged or given up: in the order of the changes, and within a change by ascending GEOID.
- An event can arrive twice, for example after a lost acknowledgement, with the same \`webhook-id\` and body: remember the ids and acknowledge it again. An event that was given up can arrive later, out of order, if the maintainer sends it again.
- \`X-Webhook-Signature\` is sent if there is a secret: \`sha256=\` and the HMAC-SHA256 of the raw body in lowercase hexadecimal, with the secret’s whole text (UTF-8) as key. Compare it in constant time before you parse the body, and refuse requests without it.
- \`webhook-signature\`, for Standard Webhooks libraries, is \`v1,\` and the HMAC-SHA256 in base64 of \`<webhook-id>.<webhook-timestamp>.<raw body>\`, with the same key; for a secret of the form \`whsec_<base64>\`, the key is the decoded bytes after the prefix.
- After two events in a row that were given up, a subscription pauses for ${seconds(coolDownMs)}, and twice as long after each further one; after ${pauseAfterFailures} in a row, or with ${deadLettersMax.toLocaleString('en-US')} undelivered events kept, it stays paused until the service’s maintainer resumes it. Its events wait meanwhile.
- To test a receiver, the maintainer may send \`{"event":"ping","timestamp":"…","data":{}}\`, signed in the same way. Acknowledge events that you do not know.`;
