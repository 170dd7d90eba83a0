import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What a connection still has to be sent. */
interface Connection {
  /** The answer to the newest request, until it is sent and the request read: idle connections need no memory for either. */
  newest: ServerResponse | undefined;
  /** How many requests have no answer that the system has accepted. */
  unanswered: number;
  /** Whether the last answer is a refusal, sent or not: what else comes is not answered. */
  isRefused: boolean;
  /** Whether an answer has said that it is the last: what comes after its request is not carried out (RFC 9112, 9.6). */
  isEnding: boolean;
}

/**
 * The most requests without an answer on one connection. A client that sends thousands at once, perhaps without reading any
 * answer, would keep all others waiting, and its answers would fill the memory.
 */
const UNANSWERED_MAX = 256;

const connections = new WeakMap<Duplex, Connection>();

function connectionOf(socket: Duplex): Connection {
  const known = connections.get(socket);
  if (known) return known;
  const added = { newest: undefined, unanswered: 0, isRefused: false, isEnding: false };
  connections.set(socket, added);
  return added;
}

/**
 * Registers that a request is being answered: a refusal on its connection must not be taken for this answer. Returns false
 * if its connection is ending, and closes it if there are too many requests without an answer on it.
 */
export function expectAnswer(response: ServerResponse): boolean {
  const { socket } = response.req;
  // Requests that have already arrived are told of even after that.
  if (socket.destroyed) return false;
  const connection = connectionOf(socket);
  if (connection.isEnding) return false;
  connection.newest = response;
  connection.unanswered += 1;
  if (connection.unanswered > UNANSWERED_MAX) {
    socket.destroy();
    return false;
  }
  response.on('close', forgetAnswer);
  return true;
}

function forgetAnswer(this: ServerResponse): void {
  const connection = connectionOf(this.req.socket);
  connection.unanswered -= 1;
  if (connection.newest === this && this.req.complete) connection.newest = undefined;
}

/** To be called with an answer that says that its connection ends with it. */
export function expectNoMore(socket: Duplex): void {
  connectionOf(socket).isEnding = true;
}

/** The answer to the newest request on a connection, if it is not over, and whether the connection has been refused. */
export function answersOn(socket: Duplex): Readonly<Pick<Connection, 'newest' | 'isRefused'>> {
  return connectionOf(socket);
}

/** To be called with a refusal: what else comes on its connection is not answered. */
export function expectRefused(socket: Duplex): void {
  connectionOf(socket).isRefused = true;
}

/**
 * Refuses whatever else comes on a connection, and ends it by `end` once the answers to all requests before are sent: a
 * client that sends requests without waiting for answers tells them apart by their order alone.
 */
export function endAfterAnswers(socket: Duplex, end: () => void): void {
  expectRefused(socket);
  const { newest } = connectionOf(socket);
  if (!newest || newest.writableFinished) end();
  else {
    newest.once('close', () => {
      // That answer may have ended the connection.
      if (socket.writable) end();
    });
  }
}
