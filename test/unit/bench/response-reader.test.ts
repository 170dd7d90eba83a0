import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponseReader } from '../../../bench/client/response-reader.js';

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nwxyz\r\n0\r\n\r\n';
const EMPTY_CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
const SIZED = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 5\r\n\r\nhello';
const EMPTY = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const BODILESS = 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n';

describe('the reader of answers', () => {
  it('finds the end of every kind of answer, however its bytes are split into chunks', () => {
    const answers = fc.array(fc.constantFrom(CHUNKED, EMPTY_CHUNKED, SIZED, EMPTY, BODILESS), { maxLength: 5 });
    fc.assert(
      fc.property(answers, fc.infiniteStream(fc.integer({ min: 1, max: 40 })), (sent, sizes) => {
        const read: [number, number][] = [];
        const memory = Buffer.alloc(40);
        const feed = createResponseReader((status, bytes) => read.push([status, bytes]));
        for (const answer of sent) {
          for (let at = 0; at < answer.length; ) {
            const size = sizes.next().value;
            // All in the same memory, as from sockets.
            feed(memory.subarray(0, memory.write(answer.slice(at, at + size))));
            at += size;
          }
        }
        expect(read).toEqual(sent.map((answer) => [Number(answer.slice(9, 12)), answer.length]));
      }),
    );
  });
});
