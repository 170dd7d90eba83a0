import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runClosedLoop } from '../../../bench/client/closed-loop.js';
import type { ClosedJob, LoadResult, OpenJob } from '../../../bench/client/job.js';
import { runOpenLoop } from '../../../bench/client/open-loop.js';
import { createHistogram } from '../../../bench/lib/histogram.js';
import { eventually } from '../../support/eventually.js';

/** What all jobs against a server have. */
type Shared = Omit<ClosedJob, 'kind'>;

async function sharedBy(listener: RequestListener): Promise<Shared> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const asks = [0, 1, 2].map((index) => ({ method: 'GET' as const, path: `/${index}` }));
  const url = `http://127.0.0.1:${port}`;
  return { connections: 1, seconds: 0.1, keepAlive: true, startAt: 0, headers: {}, asks, url };
}

async function openJob(
  listener: RequestListener,
  job: Pick<OpenJob, 'ratePerSecond'> & Partial<OpenJob>,
): Promise<OpenJob> {
  return { kind: 'open', leadInSeconds: 0, ...(await sharedBy(listener)), ...job };
}

async function closedJob(listener: RequestListener, job: Partial<Shared>): Promise<ClosedJob> {
  return { kind: 'closed', ...(await sharedBy(listener)), ...job };
}

describe('the open loop', () => {
  it('charges a stall to every request that was due during it', async () => {
    let requests = 0;
    const stallMs = 300;
    const job = await openJob(
      (_request, response) => {
        // The first opens the connection, and is not counted.
        if (++requests === 2) setTimeout(() => response.end('x'), stallMs);
        else response.end('x');
      },
      { ratePerSecond: 1000 },
    );
    const { answers, latencies, failures } = await runOpenLoop(job);
    expect({ answers, failures }).toEqual({ answers: 100, failures: 0 });
    // All were due in the first 100 ms, and none was answered before 300.
    expect(createHistogram(latencies).percentile(0)).toBeGreaterThanOrEqual((stallMs - 100) * 1000);
  });

  it('counts no answer of the lead-in, however slow, and every one that was due after it', async () => {
    let requests = 0;
    const job = await openJob(
      (_request, response) => {
        requests++;
        if (requests === 6) setTimeout(() => response.writeHead(500).end(), 100);
        else response.end('x');
      },
      { ratePerSecond: 100, connections: 4, leadInSeconds: 0.5 },
    );
    const { answers, statuses, failures, latencies } = await runOpenLoop(job);
    expect({ answers, statuses, failures }).toEqual({ answers: 10, statuses: { 200: 10 }, failures: 0 });
    expect(createHistogram(latencies).count()).toBe(10);
    // Four that open the connections.
    expect(requests).toBe(4 + 50 + 10);
  });

  it('counts no failure of the lead-in, and every one after it', async () => {
    let requests = 0;
    const job = await openJob(
      (request, response) => {
        requests++;
        // Of the lead-in, and of what is counted; the first opens the connection.
        if (requests === 11 || requests === 56) request.socket.destroy();
        else response.end('x');
      },
      { ratePerSecond: 100, leadInSeconds: 0.5 },
    );
    const { answers, failures, neverSent } = await runOpenLoop(job);
    expect({ answers, failures, neverSent }).toEqual({ answers: 9, failures: 1, neverSent: 0 });
  });

  it('distinguishes unanswered requests from those never sent, and counts neither of the lead-in', async () => {
    let requests = 0;
    const hung = await openJob(
      (_request, response) => {
        // The first two open the connections; two of the lead-in are answered.
        if (++requests <= 4) response.end('x');
      },
      { ratePerSecond: 100, connections: 2 },
    );
    const counted = async (job: OpenJob) => {
      requests = 0;
      const { answers, failures, neverSent } = await runOpenLoop(job, undefined, 1000);
      return { answers, failures, neverSent };
    };
    expect(await counted(hung)).toEqual({ answers: 2, failures: 2, neverSent: 6 });
    expect(await counted({ ...hung, leadInSeconds: 0.1 })).toEqual({ answers: 0, failures: 0, neverSent: 10 });
  });

  it('waits for a slow server’s last answers, and sends nothing meanwhile', async () => {
    const slow = await openJob((_request, response) => setTimeout(() => response.end('x'), 100), {
      ratePerSecond: 2000,
    });
    const { answers, failures, neverSent } = await runOpenLoop(slow, undefined, 1500);
    expect(failures).toBe(0);
    expect(answers + neverSent).toBe(200);
    expect(neverSent).toBeGreaterThan(0);
  });

  it('counts answers by status, and records latencies only of those with status 200', async () => {
    let count = 0;
    const job = await openJob(
      (_request, response) => {
        response.statusCode = count++ % 2 === 0 ? 200 : 503;
        response.end();
      },
      { ratePerSecond: 200, connections: 4 },
    );
    const { statuses, latencies } = await runOpenLoop(job);
    expect(statuses).toEqual({ 200: 10, 503: 10 });
    expect(createHistogram(latencies).count()).toBe(10);
  });
});

describe('the closed loop', () => {
  it('counts what a hanging server never answers as failures, and closes the connections', async () => {
    let closed = 0;
    const sockets = new Set<unknown>();
    const job = await closedJob(
      ({ socket }) => {
        sockets.add(socket);
        socket.once('close', () => closed++);
      },
      { connections: 3 },
    );
    const { answers, failures } = await runClosedLoop(job, 50);
    expect({ answers, failures }).toEqual({ answers: 0, failures: 3 });
    // The server may learn of either a moment later.
    await eventually(() => expect([sockets.size, closed]).toEqual([3, 3]));
  });

  it('sends the requests in turn, from the given start', async () => {
    const paths: (string | undefined)[] = [];
    const job = await closedJob(
      ({ url }, response) => {
        paths.push(url);
        response.end('x');
      },
      { startAt: 2, seconds: 0.5 },
    );
    const { answers, failures } = await runClosedLoop(job);
    expect(paths.slice(0, 4)).toEqual(['/2', '/0', '/1', '/2']);
    expect(failures).toBe(0);
    expect(answers).toBeGreaterThan(3);
  });

  it('takes no request before its turn, however much faster one connection is than another', async () => {
    const paths: (string | undefined)[] = [];
    let slow: unknown;
    const job = await closedJob(
      ({ url, socket }, response) => {
        paths.push(url);
        slow ??= socket;
        if (socket === slow) setTimeout(() => response.end('x'), 20);
        else response.end('x');
      },
      {
        connections: 2,
        asks: Array.from({ length: 100_000 }, (_, index) => ({ method: 'GET' as const, path: `/${index}` })),
      },
    );
    await runClosedLoop(job);
    const taken = paths.map((path) => Number(path?.slice(1)));
    expect(taken.toSorted((a, b) => a - b)).toEqual(taken.map((_, index) => index));
  });

  type Run = (listener: RequestListener, job: Partial<Shared>) => Promise<LoadResult>;
  it.each<[OpenJob['kind'] | ClosedJob['kind'], Run]>([
    ['closed', async (listener, job) => runClosedLoop(await closedJob(listener, job))],
    ['open', async (listener, job) => runOpenLoop(await openJob(listener, { ...job, ratePerSecond: 100 }))],
  ])('changes the digits that laps change, in a(n) %s loop', async (kind, run) => {
    const paths: (string | undefined)[] = [];
    await run(
      ({ url }, response) => {
        paths.push(url);
        response.end('x');
      },
      {
        startAt: 3,
        seconds: 0.5,
        asks: [
          { method: 'GET', path: '/a?lat=1.00998&x=1', lapDigitsAt: 11 },
          { method: 'GET', path: '/b' },
        ],
      },
    );
    const own = kind === 'open' ? paths.slice(1) : paths;
    expect(own.slice(0, 4)).toEqual(['/b', '/a?lat=1.00000&x=1', '/b', '/a?lat=1.00001&x=1']);
  });

  it('opens a connection for every request without keep-alive', async () => {
    const ports = new Set<number | undefined>();
    let requests = 0;
    const job = await closedJob(
      ({ socket }, response) => {
        requests++;
        ports.add(socket.remotePort);
        response.end('x');
      },
      { keepAlive: false },
    );
    await runClosedLoop(job);
    expect(ports.size).toBe(requests);
  });
});
