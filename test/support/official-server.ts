import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { listenLocally } from './listen-locally.js';
import type { InputTree } from './official-files.js';

/** The ways in which an answer goes wrong, which can be combined. */
export interface Fault {
  /** The connection is closed after this many bytes of the body. */
  readonly dropAfterBytes?: number;
  /** Answers this status without a body. */
  readonly status?: number;
  /** The Retry-After header that goes with `status`. */
  readonly retryAfter?: string;
  /** Redirects to this URL. */
  readonly moveTo?: string;
  /** Content-Length announces this many bytes more than are sent. */
  readonly announceMoreBytes?: number;
  /** Sends this body in place of the file's. */
  readonly body?: string | Buffer;
  /** Resumes with the current file even if it has changed since the download stopped, as some servers do. */
  readonly ignoresIfRange?: boolean;
  /** Headers that override the server's own; undefined omits one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sends the body in pieces of this size, as slow servers do. */
  readonly pieceBytes?: number;
  readonly everyMs?: number;
}

export interface OfficialServer {
  /** The base URL, for `--from-mirror`. */
  readonly url: string;
  /** All finished requests, in order: path, requested range, and status of the answer. */
  readonly requests: readonly { readonly path: string; readonly range: string | undefined; readonly status: number }[];
  /** The number of body bytes sent so far. */
  sentBytes(): number;
  /** Adds or replaces files; null removes one. */
  change(files: Readonly<Record<string, string | Buffer | null>>): void;
}

export interface OfficialServerOptions {
  /** The fault for the nth request of a path, counted from 1; undefined for none. */
  readonly fault?: (path: string, nth: number) => Fault | undefined;
  /** Additional headers by path, such as `content-disposition`. */
  readonly headers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Sends no ETag, Last-Modified and Content-Length and serves no ranges, as some servers do. */
  readonly plain?: boolean;
}

/**
 * Serves files at their agencies' paths below the host's name, `/www2.census.gov/geo/…`, with ETags, conditional requests
 * and ranges by RFC 9110. Listens on a free port until the test is finished.
 */
export async function startOfficialServer(
  tree: InputTree,
  options: OfficialServerOptions = {},
): Promise<OfficialServer> {
  const files = new Map(Object.entries(tree).map(([path, content]) => [`/${path}`, Buffer.from(content)]));
  const requests: OfficialServer['requests'][number][] = [];
  const counts = new Map<string, number>();
  let sentBytes = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const nth = (counts.get(path) ?? 0) + 1;
    counts.set(path, nth);
    response.on('close', () => {
      const { range } = request.headers;
      requests.push({ path, range, status: response.statusCode });
    });
    const fault = options.fault?.(path, nth) ?? {};
    const { status: refusal = fault.moveTo === undefined ? undefined : 302, retryAfter, moveTo } = fault;
    if (refusal !== undefined) {
      const own = { ...(retryAfter && { 'retry-after': retryAfter }), ...(moveTo && { location: moveTo }) };
      response.writeHead(refusal, { ...own, ...fault.headers }).end();
      return;
    }
    const known = files.get(path) ?? files.get(path.replace(/\?.*/, ''));
    const file = fault.body === undefined ? known : Buffer.from(fault.body);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const { status, headers, body } = options.plain ? whole(file) : negotiate(request, file, fault);
    const length = body.byteLength + (fault.announceMoreBytes ?? 0);
    const framing = options.plain ? {} : { 'content-length': length };
    const sent = { ...headers, ...framing, ...options.headers?.[path], ...fault.headers };
    response.writeHead(status, Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)));
    for (const piece of piecesOf(body, fault)) {
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
      sentBytes += piece.byteLength;
      if (fault.everyMs !== undefined) await wait(fault.everyMs);
      if (response.destroyed) return;
    }
    if (fault.dropAfterBytes === undefined && fault.announceMoreBytes === undefined) response.end();
    else response.destroy();
  };

  const server = createServer((request, response) => void answer(request, response));
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    sentBytes: () => sentBytes,
    change: (changes) => {
      for (const [path, content] of Object.entries(changes)) {
        if (content === null) files.delete(`/${path}`);
        else files.set(`/${path}`, Buffer.from(content));
      }
    },
  };
}

interface Negotiated {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const whole = (body: Buffer): Negotiated => ({ status: 200, headers: {}, body });

function negotiate({ headers: asked }: IncomingMessage, file: Buffer, { ignoresIfRange = false }: Fault): Negotiated {
  const etag = `"${createHash('sha256').update(file).digest('hex').slice(0, 16)}"`;
  const headers = { etag, 'last-modified': 'Tue, 12 Mar 2024 08:00:00 GMT', 'accept-ranges': 'bytes' };
  if (asked['if-none-match'] === etag) return { status: 304, headers, body: Buffer.alloc(0) };
  const [, from] = /^bytes=(\d+)-$/.exec(asked.range ?? '') ?? [];
  if (from === undefined || (asked['if-range'] !== etag && !ignoresIfRange))
    return { status: 200, headers, body: file };
  const start = Number(from);
  if (start >= file.byteLength) {
    return { status: 416, headers: { 'content-range': `bytes */${file.byteLength}` }, body: Buffer.alloc(0) };
  }
  const range = `bytes ${start}-${file.byteLength - 1}/${file.byteLength}`;
  return { status: 206, headers: { ...headers, 'content-range': range }, body: file.subarray(start) };
}

function piecesOf(body: Buffer, { dropAfterBytes = body.byteLength, pieceBytes = body.byteLength }: Fault): Buffer[] {
  const pieces: Buffer[] = [];
  const end = Math.min(body.byteLength, dropAfterBytes);
  for (let at = 0; at < end; at += pieceBytes) pieces.push(body.subarray(at, Math.min(end, at + pieceBytes)));
  return pieces;
}
