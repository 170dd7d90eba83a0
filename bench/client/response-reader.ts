const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

/** Takes the bytes of one connection as they arrive. The chunk's memory may be reused after the call. */
export type ResponseReader = (chunk: Buffer) => void;

/**
 * Finds only the end of each answer on a connection: a full parser of headers and bodies would cost more processor time
 * than the measured server. Handles bodies with a content length, chunked bodies, and none; answers must not be pipelined.
 */
export function createResponseReader(onAnswer: (status: number, bytes: number) => void): ResponseReader {
  let head: Buffer | undefined;
  let status = 0;
  /** Bytes of the body still to come; undefined between answers, Infinity in a chunked body. */
  let left: number | undefined;
  let bytes = 0;
  let tail = Buffer.alloc(0);

  const finish = (): void => {
    left = undefined;
    tail = Buffer.alloc(0);
    const answered = bytes;
    bytes = 0;
    onAnswer(status, answered);
  };
  const readBody = (chunk: Buffer): void => {
    if (left === Number.POSITIVE_INFINITY) {
      tail = Buffer.concat([tail, chunk]).subarray(-LAST_CHUNK.length);
      if (tail.equals(LAST_CHUNK)) finish();
      return;
    }
    left = (left ?? 0) - chunk.length;
    if (left <= 0) finish();
  };
  return (chunk) => {
    bytes += chunk.length;
    if (left !== undefined) return readBody(chunk);
    const all = head ? Buffer.concat([head, chunk]) : chunk;
    const end = all.indexOf(HEAD_END);
    if (end < 0) {
      head = Buffer.from(all);
      return;
    }
    head = undefined;
    const text = all.toString('latin1', 0, end);
    status = Number(text.slice(9, 12));
    left = bodyLength(text, status);
    // LAST_CHUNK begins with a line end: if the chunked body is empty, that is the one that ends the head.
    readBody(all.subarray(left === Number.POSITIVE_INFINITY ? end + 2 : end + HEAD_END.length));
  };
}

function bodyLength(head: string, status: number): number {
  if (status === 204 || status === 304) return 0;
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length);
}
