import { createServer, request as forward } from 'node:http';
import { connect } from 'node:net';
import { listenLocally } from './listen-locally.js';

/**
 * A proxy that tunnels or forwards requests and records the hosts in `asked`. With `upstreamHost`, a host and port, it
 * sends all of them there instead. Listens on a free port until the test is finished.
 */
export async function startProxy(upstreamHost?: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(new URL(incoming.url ?? '').host);
    const url = new URL(incoming.url ?? '');
    url.host = upstreamHost ?? url.host;
    const { method, headers } = incoming;
    const onward = forward(url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket) => {
    asked.push(incoming.url ?? '');
    const [host = '', port] = (upstreamHost ?? incoming.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    socket.on('error', () => upstream.destroy());
  });
  return { url: `http://127.0.0.1:${await listenLocally(server)}`, asked };
}
