import { DELIVERIES, type DeliveryDescription, exampleHeaders } from '../event-descriptions.js';
import type { OperationObject, ParameterObject, ResponseObject } from './model.js';
import type { SchemaCollector } from './schema-collector.js';

/** The document's `webhooks`: describes each event as the request that a receiver gets. */
export function describeDeliveries(schemas: SchemaCollector): Record<string, { readonly post: OperationObject }> {
  return Object.fromEntries(
    DELIVERIES.map((delivery) => [delivery.example.event, { post: describeDelivery(delivery, schemas) }]),
  );
}

function describeDelivery(delivery: DeliveryDescription, schemas: SchemaCollector): OperationObject {
  const { id, summary, description, schema, example } = delivery;
  const headers = exampleHeaders(delivery);
  return {
    operationId: id,
    tags: ['deliveries'],
    summary,
    description,
    security: [],
    parameters: HEADERS.map((header) => ({ ...header, example: headers[header.name] })),
    requestBody: { required: true, content: { 'application/json': { schema: schemas.ofAnswer(schema), example } } },
    responses: ANSWERS,
  };
}

const header = (name: string, pattern: string, required: boolean, description: string): ParameterObject => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', pattern },
});

const HEADERS: readonly ParameterObject[] = [
  header(
    'X-Webhook-Signature',
    '^sha256=[0-9a-f]{64}$',
    false,
    'HMAC-SHA256 of the raw body, in hexadecimal. Only if the subscription has a secret.',
  ),
  header(
    'webhook-id',
    '^msg_[0-9a-f]{32}$',
    true,
    'Identifies the event; the same for all attempts and repeated deliveries.',
  ),
  header('webhook-timestamp', '^[0-9]+$', true, 'When this attempt was made, Unix time in seconds.'),
  header(
    'webhook-signature',
    '^v1,[A-Za-z0-9+/]{43}=$',
    false,
    'The Standard Webhooks signature of id, timestamp and body. Only if the subscription has a secret.',
  ),
];

/** The possible answers of a receiver, and the consequence of each. */
const ANSWERS: Readonly<Record<string, ResponseObject>> = {
  '2XX': { description: 'The event is acknowledged; the next one follows.' },
  '5XX': { description: 'The event is retried, as after a timeout.' },
  default: { description: 'The event is not retried, because the answer would be the same.' },
};
