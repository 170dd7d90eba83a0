import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, encodeAsks } from './connection.js';
import type { OpenJob } from './job.js';

/** Called for each answer. `dueMs` is when its request was due, on the clock of `performance.now()`. */
export type Answered = (status: number, bytes: number, dueMs: number) => void;

/** Called for each request whose connection failed. */
export type Failed = (dueMs: number) => void;

/** All connections of a job. A request that finds none free waits for one. */
export interface ConnectionPool {
  /** Opens all connections by sending one uncounted request over each. */
  connect(timeoutMs: number): Promise<void>;
  /** Sends the next request, now or as soon as a connection is free. */
  send(dueAtMs: number): void;
  /** Sends none of the requests that still wait for a connection. */
  giveUpWaiting(): void;
  /** Resolves when all requests are answered, given up or have failed, or after the timeout. */
  drained(timeoutMs: number): Promise<void>;
  /** The number of requests due from this moment on that are still unanswered, or have waited for a connection in vain. */
  left(fromMs: number): { readonly unanswered: number; readonly neverSent: number };
  close(): void;
}

export function createConnectionPool(job: OpenJob, answered: Answered, failed: Failed): ConnectionPool {
  const backlog: number[] = [];
  let firstWaiting = 0;
  /** After the last that may be sent; undefined while all may be. */
  let endOfWaiting: number | undefined;
  let unanswered = 0;
  let onDrained = (): void => {};
  const idle: PooledConnection[] = [];
  const release = (connection: PooledConnection): void => {
    unanswered--;
    const waiting = firstWaiting === endOfWaiting ? undefined : backlog[firstWaiting];
    if (waiting === undefined) idle.push(connection);
    else {
      firstWaiting++;
      connection.send(waiting);
    }
    if (unanswered === 0) onDrained();
  };
  const connections = createPooledConnections(job, { answered, failed, release });
  idle.push(...connections);
  return {
    connect: async (timeoutMs) => {
      const opened = Promise.all(connections.map(({ connect }) => connect()));
      const timer = new AbortController();
      await Promise.race([opened, delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => {})]);
      timer.abort();
    },
    send: (dueAtMs) => {
      unanswered++;
      const connection = idle.pop();
      if (connection) connection.send(dueAtMs);
      else backlog.push(dueAtMs);
    },
    giveUpWaiting: () => {
      endOfWaiting = firstWaiting;
      unanswered -= backlog.length - firstWaiting;
    },
    drained: (timeoutMs) =>
      new Promise((resolve) => {
        if (unanswered === 0) return resolve();
        const timer = setTimeout(resolve, timeoutMs);
        onDrained = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    left: (fromMs) => ({
      unanswered: connections.filter((connection) => (connection.awaitsSince() ?? Number.NEGATIVE_INFINITY) >= fromMs)
        .length,
      neverSent: backlog.slice(firstWaiting).filter((dueMs) => dueMs >= fromMs).length,
    }),
    close: () => {
      for (const connection of connections) connection.close();
    },
  };
}

/** A connection that sends requests and reports when it is free again. */
interface PooledConnection {
  /** Opens the connection with an uncounted request; resolves when that is answered or has failed. */
  connect(): Promise<void>;
  send(dueAtMs: number): void;
  /** When the request that it awaits the answer to was due; undefined if it awaits none. */
  awaitsSince(): number | undefined;
  close(): void;
}

interface PooledConnectionEvents {
  readonly answered: Answered;
  readonly failed: Failed;
  /** The connection is free for another request. */
  readonly release: (connection: PooledConnection) => void;
}

function createPooledConnections(
  job: OpenJob,
  { answered, failed, release }: PooledConnectionEvents,
): PooledConnection[] {
  const url = new URL(job.url);
  const requestAt = encodeAsks(url, job);
  let next = job.startAt;
  return Array.from({ length: job.connections }, () => {
    let dueAtMs: number | undefined;
    let onConnected: (() => void) | undefined;
    /** Whether the finished request was the one that opened the connection; if so, resolves `connect`. */
    const wasFirst = (): boolean => {
      const connected = onConnected;
      onConnected = undefined;
      connected?.();
      return connected !== undefined;
    };
    /** Ends the request that was sent last, but for the one that opened the connection. */
    const finish = (tell: (dueMs: number) => void): void => {
      if (wasFirst() || dueAtMs === undefined) return;
      const dueMs = dueAtMs;
      dueAtMs = undefined;
      tell(dueMs);
      release(pooled);
    };
    const connection = createConnection(url, job.keepAlive, {
      answered: (status, bytes) => finish((dueMs) => answered(status, bytes, dueMs)),
      failed: () => finish(failed),
    });
    const pooled: PooledConnection = {
      connect: () =>
        new Promise((resolve) => {
          onConnected = resolve;
          connection.send(requestAt(job.startAt + job.asks.length - 1));
        }),
      send: (due) => {
        dueAtMs = due;
        connection.send(requestAt(next++));
      },
      awaitsSince: () => dueAtMs,
      close: connection.close,
    };
    return pooled;
  });
}
