import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Where systems take no ports from for connections and for servers that listen on port 0, of which tests beside this one
 * have hundreds: from 32768 on, or from 49152.
 */
const [FROM, TO] = [20_000, 32_768];

/** A TCP port of 127.0.0.1 on which no process listens at the moment, and that no process gets without asking for it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
