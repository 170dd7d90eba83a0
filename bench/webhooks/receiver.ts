/**
 * Acknowledges every request and counts requests by path. Runs in its own process, which takes no processor time from the
 * others, because in reality it is another machine. Sends its parent its URL, and the counts whenever the parent asks.
 */
import { createServer } from 'node:http';
import { tellParent } from '../lib/tell-parent.js';
import { runInBackground } from './background.js';

const counts = new Map<string, number>();
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    const path = request.url ?? '';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    response.writeHead(200).end();
  });
});
runInBackground();
tellParent(server.listen(0, '127.0.0.1'));
process.on('message', () => process.send?.({ counts: Object.fromEntries(counts) }));
