/**
 * A program that lowers its priority as the deliveries' process does, and prints the nice values of its threads before and
 * after as JSON.
 */
import { giveWay } from '../../src/webhooks/delivery/give-way.js';
import { nicenessOf } from './child-processes.js';

const before = nicenessOf(process.pid);
giveWay();
console.log(JSON.stringify({ before, after: nicenessOf(process.pid) }));
