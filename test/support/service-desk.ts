import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import { type ServiceProcess, startService } from './service-process.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where to ask for the service that test files share; a POST of a datasets directory gives its address. */
    readonly serviceDesk: string;
  }
}

/**
 * Keeps one service with default settings for each datasets directory that test files ask for, from the first that does
 * until all of them have ended. It is started here, as workers are killed when they have nothing left to do.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const services = new Map<string, Promise<ServiceProcess>>();
  const desk = createServer(async (request, response) => {
    const datasetsDir = await text(request);
    const starting = services.get(datasetsDir) ?? startService(datasetsDir);
    services.set(datasetsDir, starting);
    const told = await starting.then(
      ({ url }) => ({ status: 200, text: url }),
      (error: unknown) => ({ status: 500, text: String(error) }),
    );
    response.writeHead(told.status).end(told.text);
  });
  desk.listen(0, '127.0.0.1');
  await once(desk, 'listening');
  const address = desk.address();
  project.provide('serviceDesk', `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  return async () => {
    desk.close();
    for (const outcome of await Promise.allSettled(services.values())) {
      if (outcome.status === 'rejected') continue;
      outcome.value.signal('SIGTERM');
      await outcome.value.exited;
    }
  };
}
