import { createServer } from 'node:https';
import type { Certified } from './certificates.js';
import { listenLocally } from './listen-locally.js';

/** A receiver over TLS, and what it has received. */
export interface SecureReceiver {
  readonly port: number;
  /** The server names (SNI) in the handshakes; clients send none for an IP address. */
  readonly serverNames: readonly string[];
  /** The Host header of each request. */
  readonly hosts: readonly (string | undefined)[];
}

/** Acknowledges all requests over TLS to 127.0.0.1 until the test is finished. */
export async function startSecureReceiver(certified: Certified): Promise<SecureReceiver> {
  const serverNames: string[] = [];
  const hosts: (string | undefined)[] = [];
  const server = createServer(
    {
      ...certified,
      SNICallback: (name, done) => {
        serverNames.push(name);
        done(null);
      },
    },
    (request, response) => {
      hosts.push(request.headers.host);
      request.resume().on('end', () => response.writeHead(204).end());
    },
  );
  const port = await listenLocally(server);
  return { port, serverNames, hosts };
}
