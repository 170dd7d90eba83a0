/**
 * Acknowledges whatever comes and counts it, by path. A process of its own that keeps no other from the processor: in
 * life it is another machine. Tells its parent its address, and its counts whenever it is asked.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInBackground } from '../lib/background.js';

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
server.listen(0, '127.0.0.1', () => {
  // A TCP server that listens has such an address.
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});
process.on('message', () => process.send?.({ counts: Object.fromEntries(counts) }));
process.once('disconnect', () => process.exit());
