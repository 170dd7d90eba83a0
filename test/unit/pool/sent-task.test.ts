import { expect, test } from 'vitest';
import { fromSent, type Task, toSent } from '../../../src/pool/protocol.js';

const TASKS: readonly Task[] = [
  {
    kind: 'nearby',
    query: { center: { lat: 38.9072, lng: -77.0369 }, radiusMiles: 12.5, limit: 25, offset: 50 },
  },
  { kind: 'rankings', row: 13 },
  { kind: 'geocode', addresses: ['1 Main St, Dover, DE'] },
];

test.each(TASKS)('a task of kind $kind reaches another thread as it is', (task) => {
  expect(fromSent(structuredClone(toSent(task)))).toEqual(task);
});
