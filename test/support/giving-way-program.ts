/**
 * Run as a process of its own: gives way as deliveries do, and prints how far each of its threads does then, and did
 * before.
 */
import { giveWay } from '../../src/webhooks/give-way.js';
import { nicenessOf } from './child-processes.js';

const before = nicenessOf(process.pid);
giveWay();
console.log(JSON.stringify({ before, after: nicenessOf(process.pid) }));
