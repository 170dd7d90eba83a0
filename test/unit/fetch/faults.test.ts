import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { STATES } from '../../../src/core/states.js';
import { checkContent } from '../../../src/load/fetch/check-content.js';
import { FetchError } from '../../../src/load/fetch/fetch-error.js';
import { asNetworkError, createHttpClient, type HttpClient } from '../../../src/load/fetch/http-client.js';
import { listParts, openPart } from '../../../src/load/fetch/part-file.js';
import { storeLayout } from '../../../src/load/fetch/store-layout.js';
import { listFiles } from '../../../src/load/files/list-files.js';
import { parseSourceCatalog, readSourceCatalog } from '../../../src/load/source-catalog.js';
import { failReads } from '../../support/failing-reads.js';
import { startFakeServer } from '../../support/fake-server.js';
import { NO_PROXY_SETTINGS, runTestFetch } from '../../support/fetching.js';
import { type Fault, startOfficialServer } from '../../support/official-server.js';
import {
  CENPOP,
  CENPOP_FILE,
  CENPOP_TEXT,
  cenpopWith,
  fetchCenpop,
  GAZETTEER,
  GAZETTEER_FILE,
  gazetteer,
  outcomes,
  read,
} from '../../support/small-downloads.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { zipArchive } from '../../support/zip-writer.js';

/** Makes every write to an open file fail until the test ends. */
async function failWrites(code: string): Promise<void> {
  const handle = await open(join(temporaryDirectory(), 'any'), 'w');
  await handle.close();
  const writing = vi
    .spyOn(Object.getPrototypeOf(handle), 'write')
    .mockRejectedValue(Object.assign(new Error(`${code}: why, write`), { code, syscall: 'write' }));
  onTestFinished(() => writing.mockRestore());
}

describe('a download that is interrupted', () => {
  it('resumes where the connection dropped, again and again, as long as data arrives', async () => {
    const server = await cenpopWith((nth) => (nth <= 8 ? { dropAfterBytes: 5000 } : undefined));
    const { outputDir } = await fetchCenpop(server.url);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
    expect(server.requests.map(({ range }) => range).slice(0, 3)).toEqual([undefined, 'bytes=5000-', 'bytes=10000-']);
    expect(server.sentBytes()).toBe(Buffer.byteLength(CENPOP_TEXT));
  });

  it('resumes, too, what ends early without an error, as the end of the connection was to be that of the rest', async () => {
    const bytes = Buffer.from(CENPOP_TEXT);
    const starts: number[] = [];
    const server = await startFakeServer((response, { headers }) => {
      const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
      starts.push(start);
      response.useChunkedEncodingByDefault = false;
      const first = { 'content-length': bytes.length };
      const rest = { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` };
      response.writeHead(start > 0 ? 206 : 200, { etag: '"1"', connection: 'close', ...(start > 0 ? rest : first) });
      response.write(bytes.subarray(start, start + 20_000), () => (start > 0 ? response.end() : response.destroy()));
    });
    const { outputDir } = await fetchCenpop(server.url);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
    expect(starts).toEqual(starts.map((_, nth) => nth * 20_000));
  });

  it('starts over if the file has changed meanwhile', async () => {
    const server = await cenpopWith((nth) => {
      if (nth === 2) server.change({ [CENPOP]: `${CENPOP_TEXT}changed\n` });
      return nth === 1 ? { dropAfterBytes: 5000 } : undefined;
    });
    const { outputDir } = await fetchCenpop(server.url);
    expect(server.requests.map(({ range, status }) => [range, status])).toEqual([
      [undefined, 200],
      ['bytes=5000-', 200],
    ]);
    expect(read(outputDir)).toBe(`${CENPOP_TEXT}changed\n`);
  });

  /** As long as the first, and another from the first row to the last. */
  const OTHER_TEXT = CENPOP_TEXT.replaceAll('10', '11');

  it.each<[string, string, Fault, Fault]>([
    ['its ETag', OTHER_TEXT, {}, {}],
    ['its date', OTHER_TEXT, { headers: { etag: undefined } }, { headers: { etag: undefined, 'last-modified': 'x' } }],
    [
      'its date, with an ETag that is new',
      OTHER_TEXT,
      { headers: { etag: undefined } },
      { headers: { 'last-modified': 'x' } },
    ],
    ['its length', `${CENPOP_TEXT}more\n`, {}, { headers: { etag: undefined, 'last-modified': undefined } }],
  ])('starts over if the server resumes with a different file, detected by %s', async (_, text, first, second) => {
    const server = await cenpopWith((nth) => {
      if (nth === 2) server.change({ [CENPOP]: text });
      if (nth === 1) return { ...first, dropAfterBytes: 5000 };
      return nth === 2 ? { ...second, ignoresIfRange: true } : undefined;
    });
    const { outputDir, lines } = await fetchCenpop(server.url);
    expect(server.requests.map(({ range, status }) => [range, status])).toEqual([
      [undefined, 200],
      ['bytes=5000-', 206],
      [undefined, 200],
    ]);
    expect(read(outputDir)).toBe(text);
    expect(lines.at(-1)).toContain('the file on the server has changed since the download was interrupted');
  });

  it('goes on where the second answer does not say again what it is of, and keeps what the first said', async () => {
    const silent = { headers: { etag: undefined, 'last-modified': undefined } };
    const server = await cenpopWith((nth) => (nth === 1 ? { dropAfterBytes: 5000 } : nth === 2 ? silent : undefined));
    const { outputDir, report } = await fetchCenpop(server.url);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
    expect(server.requests.map(({ status }) => status)).toEqual([200, 206]);
    expect(report.files).toMatchObject([{ record: { etag: expect.stringMatching(/^"[0-9a-f]{16}"$/) } }]);
  });

  it('goes on after a web page that a proxy sent in place of the rest', async () => {
    const page = { body: '<!DOCTYPE html><p>Log in', headers: { 'content-type': 'text/html' } };
    const server = await cenpopWith((nth) => (nth === 1 ? { dropAfterBytes: 5000 } : nth === 2 ? page : undefined));
    const { outputDir, lines } = await fetchCenpop(server.url);
    expect(server.requests.map(({ range, status }) => [range, status])).toEqual([
      [undefined, 200],
      ['bytes=5000-', 200],
      ['bytes=5000-', 206],
    ]);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
    expect(lines.at(-1)).toContain('the server sent a web page in place of the rest');
  });

  it('starts over with what a server calls a web page that has called the file so before', async () => {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    const server = await startOfficialServer(
      { [GAZETTEER]: gazetteer() },
      {
        fault: (_path, nth) => {
          if (nth === 2) server.change({ [GAZETTEER]: zipArchive({ 'a.txt': 'changed' }) });
          return nth === 1 ? { dropAfterBytes: 50, headers } : { headers };
        },
      },
    );
    const wanted = { sources: ['gazetteer'], year: 2023, mirror: server.url };
    expect(outcomes(await runTestFetch(wanted))).toEqual(['new']);
    expect(server.requests.map(({ range, status }) => [range, status])).toEqual([
      [undefined, 200],
      ['bytes=50-', 200],
    ]);
  });

  it.each([{}, { 'content-encoding': 'gzip' }])(
    'starts over if the server cannot resume, and says %j',
    async (headers) => {
      const server = await cenpopWith((nth) => {
        if (nth === 1) return { dropAfterBytes: 5000 };
        return nth === 2 ? { status: 416, headers } : undefined;
      });
      const { outputDir } = await fetchCenpop(server.url);
      expect(server.requests.map(({ range }) => range)).toEqual([undefined, 'bytes=5000-', undefined]);
      expect(read(outputDir)).toBe(CENPOP_TEXT);
    },
  );

  it('resumes in the next run where the previous one was stopped, and shows no partial file until then', async () => {
    const stopping = new AbortController();
    const server = await cenpopWith((nth) => (nth === 1 ? { pieceBytes: 4000, everyMs: 20 } : undefined));
    const outputDir = join(temporaryDirectory(), 'raw');
    const stopped = fetchCenpop(server.url, {
      outputDir,
      signal: stopping.signal,
      progress: { line: () => {}, step: (_stage, done) => done > 10_000 && stopping.abort() },
    });
    await expect(stopped).rejects.toMatchObject({ failure: 'stopped' });
    expect(listFiles(outputDir).files).toEqual([]);
    await fetchCenpop(server.url, { outputDir });
    expect(server.requests.at(-1)).toMatchObject({ range: expect.stringMatching(/^bytes=[1-9]\d*-$/), status: 206 });
    expect(read(outputDir)).toBe(CENPOP_TEXT);
  });

  it('is stopped while it is checked, too, and then need not be requested again', async () => {
    const content = zipArchive({ 'a.txt': Buffer.alloc(2 ** 26) }, 'deflated');
    const server = await startOfficialServer({ [GAZETTEER]: content });
    const outputDir = join(temporaryDirectory(), 'raw');
    const wanted = { sources: ['gazetteer'], year: 2023, mirror: server.url };
    const [stopping, client] = [new AbortController(), createHttpClient(NO_PROXY_SETTINGS, 'test')];
    const stopAfterBody: HttpClient = {
      ...client,
      get: async (request) => {
        const answer = await client.get(request);
        async function* body() {
          yield* answer.body;
          setImmediate(() => stopping.abort());
        }
        return { ...answer, body: body() };
      },
    };
    const stopped = runTestFetch(wanted, { outputDir, client: stopAfterBody, signal: stopping.signal });
    await expect(stopped).rejects.toMatchObject({ failure: 'stopped' });
    expect(listFiles(outputDir).files).toEqual([]);
    expect(outcomes(await runTestFetch(wanted, { outputDir }))).toEqual(['new']);
    expect(server.requests.map(({ status }) => status)).toEqual([200, 304]);
  });

  it('starts over on another server, whose validators may mean another file', async () => {
    const headers = { etag: '"1"' };
    const first = await cenpopWith((nth) => (nth === 1 ? { dropAfterBytes: 5000, headers } : { status: 404 }));
    const { outputDir } = await fetchCenpop(first.url);
    const second = await cenpopWith(() => ({ body: OTHER_TEXT, headers, ignoresIfRange: true }));
    await fetchCenpop(second.url, { outputDir });
    expect(second.requests).toMatchObject([{ range: undefined, status: 200 }]);
    expect(read(outputDir)).toBe(OTHER_TEXT);
  });

  /** A download that was stopped while its bytes, all of which had come, were checked; `etag` is what came with them. */
  async function leaveUnchecked(
    mirror: string,
    outputDir: string,
    text: string,
    etag: string | undefined,
  ): Promise<void> {
    const part = await openPart(storeLayout(outputDir), CENPOP_FILE);
    const totalBytes = Buffer.byteLength(text);
    const content = { etag, lastModified: undefined, totalBytes, contentType: 'text/plain' };
    await part.restart(`${mirror}/${CENPOP}`, content);
    await part.append(Buffer.from(text));
    await part.sync();
    await part.close();
  }
  const etagOf = (text: string): string => `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`;

  it('is not requested again where all of it had come, and the server has no other version', async () => {
    const server = await cenpopWith(() => undefined);
    const outputDir = join(temporaryDirectory(), 'raw');
    await leaveUnchecked(server.url, outputDir, CENPOP_TEXT, etagOf(CENPOP_TEXT));
    expect(outcomes(await fetchCenpop(server.url, { outputDir }))).toEqual(['new']);
    expect(server.requests).toMatchObject([{ range: undefined, status: 304 }]);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
    expect(outcomes(await fetchCenpop(server.url, { outputDir }))).toEqual(['unchanged']);
  });

  it.each([
    ['another version', etagOf('older')],
    ['nothing to tell it by', undefined],
  ])('starts over after a complete download if the server has %s', async (_, etag) => {
    const server = await cenpopWith(() => undefined);
    const outputDir = join(temporaryDirectory(), 'raw');
    await leaveUnchecked(server.url, outputDir, OTHER_TEXT, etag);
    expect(outcomes(await fetchCenpop(server.url, { outputDir }))).toEqual(['new']);
    expect(server.requests).toMatchObject([{ range: undefined, status: 200 }]);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
  });

  it('is checked though all of it had come before: what is damaged is requested once more', async () => {
    const server = await cenpopWith(() => undefined);
    const outputDir = join(temporaryDirectory(), 'raw');
    await leaveUnchecked(server.url, outputDir, '<html>busy', etagOf(CENPOP_TEXT));
    expect(outcomes(await fetchCenpop(server.url, { outputDir }))).toEqual(['new']);
    expect(server.requests.map(({ status }) => status)).toEqual([304, 200]);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
  });

  it('keeps of what a crash left only what was made durable', async () => {
    const server = await cenpopWith(() => undefined);
    const outputDir = join(temporaryDirectory(), 'raw');
    const layout = storeLayout(outputDir);
    mkdirSync(join(layout.part(CENPOP_FILE), '..'), { recursive: true });
    writeFileSync(layout.part(CENPOP_FILE), Buffer.alloc(9000));
    await fetchCenpop(server.url, { outputDir });
    expect(server.requests).toMatchObject([{ range: undefined }]);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
  });
});

describe('a server that is not well', () => {
  it.each([429, 500, 502, 503, 504])('is asked again after %i, ever later', async (status) => {
    const server = await cenpopWith((nth) => (nth <= 3 ? { status } : undefined));
    const { outputDir, waits } = await fetchCenpop(server.url);
    expect(waits).toEqual([1000, 2000, 4000]);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
  });

  it('is left alone for as long as it asks', async () => {
    const server = await cenpopWith((nth) => (nth === 1 ? { status: 429, retryAfter: '120' } : undefined));
    const { waits, lines } = await fetchCenpop(server.url);
    expect(waits[0]).toBeGreaterThanOrEqual(120_000);
    expect(lines).toEqual([`${CENPOP_FILE}: the server answered 429; retrying in 121 s`]);
  });

  it('is asked for nothing more where it asks for a longer rest than anyone waits', async () => {
    const server = await startOfficialServer({}, { fault: () => ({ status: 503, retryAfter: '3600' }) });
    const states = STATES.map(({ fips }) => fips);
    const { report, waits } = await runTestFetch({ sources: ['tiger'], states, mirror: server.url });
    expect(report.files.length).toBe(states.length);
    const why = expect.stringContaining('the server answered 503 and asks not to be contacted for 60 minutes');
    for (const file of report.files) expect(file).toMatchObject({ outcome: 'failed', why });
    // As many as were on their way when the first answer came.
    expect(server.requests.length).toBeLessThanOrEqual(8);
    expect(waits).toEqual([]);
  });

  it('is abandoned after five attempts without data, with the server’s message', async () => {
    const server = await cenpopWith(() => ({ status: 503 }));
    const { report } = await fetchCenpop(server.url);
    expect(server.requests.length).toBe(5);
    expect(report.files).toMatchObject([
      { outcome: 'failed', why: expect.stringContaining(`${server.url}/${CENPOP}: the server answered 503`) },
    ]);
  });

  it('is abandoned if no attempt gets further than the previous one, even if each starts over', async () => {
    const server = await cenpopWith((nth) => {
      if (nth > 20) return undefined;
      return nth % 2 === 1 ? { dropAfterBytes: 5000 } : { status: 416 };
    });
    expect(outcomes(await fetchCenpop(server.url))).toEqual(['failed']);
    expect(server.requests.length).toBe(5);
  });

  it('is given up while it says nothing, and not while it is slow', async () => {
    const slow = await cenpopWith(() => ({ pieceBytes: 8000, everyMs: 10 }));
    expect(outcomes(await fetchCenpop(slow.url, { silenceTimeoutMs: 5000 }))).toEqual(['new']);
    const silent = await cenpopWith((nth) => (nth === 1 ? { pieceBytes: 8000, everyMs: 60_000 } : undefined));
    const { outputDir, lines } = await fetchCenpop(silent.url, { silenceTimeoutMs: 300 });
    expect(lines.join()).toMatch(/Body Timeout/i);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
  });
});

describe('what comes is looked at', () => {
  it('asks again where fewer bytes come than were announced', async () => {
    const server = await cenpopWith((nth) => (nth === 1 ? { announceMoreBytes: 10 } : undefined));
    const { outputDir } = await fetchCenpop(server.url);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
  });

  it('refuses content that the server compressed although no encoding was requested', async () => {
    const headers = { [`/${CENPOP}`]: { 'content-encoding': 'gzip' } };
    const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT }, { headers });
    const { report } = await fetchCenpop(server.url);
    expect(report.files).toMatchObject([
      { outcome: 'failed', why: expect.stringContaining('sent it with encoding gzip') },
    ]);
  });

  it('refuses a compressed page that lists the files, and does not say that it lists none', async () => {
    const page = 'download.cms.gov/nppes/NPI_Files.html';
    const headers = { [`/${page}`]: { 'content-encoding': 'gzip' } };
    const server = await startOfficialServer({ [page]: gzipSync('<html></html>') }, { headers });
    const { report } = await runTestFetch({ sources: ['nppes-weekly'], mirror: server.url });
    expect(report.files).toMatchObject([
      { outcome: 'failed', why: expect.stringContaining('sent it with encoding gzip') },
    ]);
  });

  const withGazetteer = (fault: (nth: number) => Fault | undefined) =>
    startOfficialServer({ [GAZETTEER]: gazetteer() }, { fault: (_path, nth) => fault(nth) });
  const corrupt = (): Buffer => {
    const bytes = gazetteer();
    bytes.writeUInt8(bytes.readUInt8(120) ^ 0xff, 120);
    return bytes;
  };

  it('takes no archive whose content does not match its CRC-32, and asks for a better one', async () => {
    const server = await withGazetteer((nth) => (nth === 1 ? { body: corrupt() } : undefined));
    const { outputDir } = await runTestFetch({ sources: ['gazetteer'], year: 2023, mirror: server.url });
    expect(readFileSync(join(outputDir, GAZETTEER_FILE))).toEqual(gazetteer());
  });

  it('abandons an archive that arrives damaged twice, and says what is wrong with it', async () => {
    const server = await withGazetteer(() => ({ body: corrupt() }));
    const { outputDir, report } = await runTestFetch({ sources: ['gazetteer'], year: 2023, mirror: server.url });
    expect(report.files).toMatchObject([{ outcome: 'failed', why: expect.stringContaining('cannot be read') }]);
    expect(server.requests.length).toBe(2);
    expect(existsSync(join(outputDir, GAZETTEER_FILE))).toBe(false);
  });

  it.each(['<!DOCTYPE html><p>Under maintenance', '', 'no archive'])('takes %j for no archive', async (body) => {
    const server = await withGazetteer(() => ({ body }));
    const { report } = await runTestFetch({ sources: ['gazetteer'], year: 2023, mirror: server.url });
    expect(report.files).toMatchObject([
      { outcome: 'failed', why: expect.stringMatching(/web page|empty|cannot be read/) },
    ]);
  });

  it.each([
    ['is another', 'a'.repeat(64), 'failed'],
    ['is the same', createHash('sha256').update(CENPOP_TEXT).digest('hex'), 'new'],
  ])('takes a file by the checksum that the manifest knows of it: %s', async (_, sha256, outcome) => {
    const text = JSON.stringify(readSourceCatalog()).replace(
      /"file":"CenPop2020_Mean_TR.txt","sizeMegabytes":5,"take":"newest","vintages":\[\{/,
      (found) => `${found}"sha256":{"CenPop2020_Mean_TR.txt":"${sha256}"},`,
    );
    const server = await cenpopWith(() => undefined);
    const { report } = await fetchCenpop(server.url, { catalog: parseSourceCatalog(text, 'a test') });
    const why = expect.stringContaining(`but ${sha256} was expected`);
    expect(report.files).toMatchObject([outcome === 'failed' ? { outcome, why } : { outcome }]);
  });

  it.each([
    ['JSON', '{"error":"rate limited"}', {}, 'JSON ({"error":"rate limited"})'],
    ['JSON behind white space', '\n  ["busy"]', {}, 'JSON (["busy"])'],
    ['a page behind a byte order mark', '\uFEFF<html>busy, come again', {}, 'a web page'],
    ['a page behind a comment', '<!-- busy, come again --><html>', {}, 'a web page'],
    ['a page without a head', '\n<h1>busy, come again</h1>', {}, 'a web page'],
    ['a page in XML', '<?xml version="1.0"?>\n<html>', {}, 'a web page'],
    ['an error in XML', '<?xml version="1.0"?>\n<Error>', {}, 'an XML document'],
    ['an archive', gazetteer().toString('latin1'), {}, 'a zip archive'],
    ['a line of excuse', 'Service \u001b[31munavailable\n', {}, 'text that is not a table ('],
    [
      'HTML by its type',
      'busy, come again',
      { 'content-type': 'text/html; charset=utf-8' },
      'content of type text/html',
    ],
    ['XHTML by its type', 'busy, come again', { 'content-type': 'application/xhtml+xml' }, 'content of type'],
    ['JSON by its type', 'busy, come again', { 'content-type': 'application/problem+json' }, 'content of type'],
  ])('takes %s for no table, and leaves the file that is there', async (_, body, headers, what) => {
    const server = await cenpopWith((nth) => (nth > 1 ? { body, headers } : undefined));
    const { outputDir } = await fetchCenpop(server.url);
    const { report } = await fetchCenpop(server.url, { outputDir });
    expect(report.files).toMatchObject([
      { outcome: 'failed', path: CENPOP_FILE, why: expect.stringContaining(`the server sent ${what}`) },
    ]);
    const [file] = report.files;
    const why = file?.outcome === 'failed' ? file.why : '';
    expect(why).toContain('in place of CenPop2020_Mean_TR.txt');
    expect(why).not.toContain('\u001b');
    expect(read(outputDir)).toBe(CENPOP_TEXT);
    expect(outcomes(await fetchCenpop((await cenpopWith(() => undefined)).url, { outputDir }))).toEqual(['unchanged']);
  });

  it.each([['text/csv'], ['text/plain; charset=utf-8'], ['application/octet-stream'], ['application/vnd.ms-excel']])(
    'takes a table that the server calls %s',
    async (type) => {
      const server = await cenpopWith(() => ({ headers: { 'content-type': type } }));
      expect(outcomes(await fetchCenpop(server.url))).toEqual(['new']);
    },
  );

  it('takes an archive by its content, whatever the server calls it', async () => {
    const server = await withGazetteer(() => ({ headers: { 'content-type': 'text/html' } }));
    const { report } = await runTestFetch({ sources: ['gazetteer'], year: 2023, mirror: server.url });
    expect(report.files).toMatchObject([{ outcome: 'new' }]);
  });

  it.each([
    ['[["NAME","state"],["a","10"]]', 'application/json;charset=utf-8', undefined],
    ['{"error":"no such key: hidden"}', 'application/json', 'an object in JSON, no rows, in place of acs5_'],
    ['error: unknown variable', 'text/plain', 'text that is not JSON in place of acs5_'],
    ['[]', 'text/html', 'content of type text/html in place of acs5_'],
  ])('takes rows in JSON where they are wanted: %j as %s', async (body, type, why) => {
    const server = await startOfficialServer({}, { fault: () => ({ body, headers: { 'content-type': type } }) });
    const { report } = await runTestFetch({ sources: ['acs-api'], year: 2023, trendYears: [], mirror: server.url });
    expect(new Set(report.files.map(({ outcome }) => outcome))).toEqual(new Set([why ? 'failed' : 'new']));
    if (why) expect(report.files).toMatchObject([{ why: expect.stringContaining(why) }]);
    expect(JSON.stringify(report.files)).not.toContain('hidden');
  });

  it('leaves the file that is there where its successor is damaged', async () => {
    const server = await withGazetteer((nth) => (nth > 1 ? { body: corrupt() } : undefined));
    const { outputDir } = await runTestFetch({ sources: ['gazetteer'], year: 2023, mirror: server.url });
    await runTestFetch({ sources: ['gazetteer'], year: 2023, mirror: server.url }, { outputDir });
    expect(readFileSync(join(outputDir, GAZETTEER_FILE))).toEqual(gazetteer());
  });
});

describe('a table that comes without its length', () => {
  const LINES = CENPOP_TEXT.split('\n');
  const less = (share: number): string => `${LINES.slice(0, LINES.length * share).join('\n')}\n`;
  /** Neither announced nor in chunks: the end of the connection is the file's. */
  const closing = (second: string) => {
    let nth = 0;
    return startFakeServer((response) => {
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, { connection: 'close' });
      response.write(nth++ === 0 ? CENPOP_TEXT : second, () => response.end());
    });
  };

  it.each([
    ['less than half of the bytes', less(0.49), /looks truncated: \d+ bytes arrived, but the existing copy has \d+\. /],
    ['a last line without its end', CENPOP_TEXT.slice(0, -9), /looks truncated: its last line has no line break\. /],
  ])('takes the place of no other with %s', async (_, text, why) => {
    const server = await closing(text);
    const { outputDir } = await fetchCenpop(server.url);
    const { report, waits } = await fetchCenpop(server.url, { outputDir });
    expect(report.files).toMatchObject([{ outcome: 'failed', why: expect.stringMatching(why) }]);
    expect(JSON.stringify(report.files)).toContain(
      `To accept it, delete ${join(outputDir, CENPOP_FILE)} and fetch again`,
    );
    expect(waits.length).toBe(1);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
    // As it says.
    rmSync(join(outputDir, CENPOP_FILE));
    expect(outcomes(await fetchCenpop(server.url, { outputDir }))).toEqual(['new']);
    expect(read(outputDir)).toBe(text);
  });

  it('takes the place of no other that fetch knows nothing of', async () => {
    const server = await closing(less(0.49));
    const { outputDir } = await fetchCenpop(server.url);
    rmSync(join(outputDir, '.fetch'), { recursive: true });
    const { report } = await fetchCenpop(server.url, { outputDir });
    expect(report.files).toMatchObject([{ outcome: 'failed', why: expect.stringContaining('the existing copy has') }]);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
  });

  it.each([
    ['more than half of the bytes', less(0.51)],
    ['more of them', `${CENPOP_TEXT}more\n`],
  ])('takes the place of another with %s', async (_, text) => {
    const server = await closing(text);
    const { outputDir } = await fetchCenpop(server.url);
    expect(outcomes(await fetchCenpop(server.url, { outputDir }))).toEqual(['updated']);
    expect(read(outputDir)).toBe(text);
  });

  it('is said to look truncated where there is none before it', async () => {
    const server = await closing('');
    const whole = await fetchCenpop(server.url);
    expect(whole.lines).toEqual([]);
    const cut = await startFakeServer((response) => {
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, { connection: 'close' });
      response.end(CENPOP_TEXT.slice(0, -9));
    });
    const { report, lines } = await fetchCenpop(cut.url);
    expect(report.files).toMatchObject([{ outcome: 'new' }]);
    expect(lines).toEqual([
      `${CENPOP_FILE}: the download came without a length and looks truncated: its last line has no line break`,
    ]);
  });

  it('is not asked for a line break that the one before did not have', async () => {
    const texts = [CENPOP_TEXT.slice(0, -9), `${CENPOP_TEXT}more`];
    const server = await cenpopWith((nth) => ({
      body: texts[nth - 1] ?? '',
      headers: { 'content-length': undefined, etag: undefined },
    }));
    const { outputDir } = await fetchCenpop(server.url);
    expect(outcomes(await fetchCenpop(server.url, { outputDir }))).toEqual(['updated']);
  });

  it('may be a short one where the server says so', async () => {
    const server = await cenpopWith((nth) => (nth > 1 ? { body: less(0.1).trim() } : undefined));
    const { outputDir } = await fetchCenpop(server.url);
    expect(outcomes(await fetchCenpop(server.url, { outputDir }))).toEqual(['updated']);
  });
});

describe('what cannot be had is said in words', () => {
  it.each([404, 403])('and leaves no empty file behind: %i', async (status) => {
    const server = await cenpopWith(() => ({ status }));
    const { outputDir, report } = await fetchCenpop(server.url);
    expect(report.files).toMatchObject([{ outcome: 'failed' }]);
    expect(existsSync(storeLayout(outputDir).part(CENPOP_FILE))).toBe(false);
  });

  it('names a missing file, and where to look for it', async () => {
    const server = await startOfficialServer({});
    const { report } = await fetchCenpop(server.url);
    expect(report.files).toMatchObject([
      { outcome: 'failed', why: expect.stringMatching(/not found \(404\)\n {2}See https:\/\/www\.census\.gov/) },
    ]);
  });

  it('does not follow redirects to a host that is not in the catalog', async () => {
    const elsewhere = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
    const server = await cenpopWith(() => ({ moveTo: `${elsewhere.url}/${CENPOP}` }));
    const { report } = await fetchCenpop(server.url);
    expect(report.files).toMatchObject([
      { why: expect.stringMatching(/it moved to http:\/\/127\.0\.0\.1:\d+\/.*CenPop.*does not name that host/) },
    ]);
    expect(elsewhere.requests).toEqual([]);
  });

  it('follows a redirect on the same host, and ends a circle of them', async () => {
    const server = await cenpopWith((nth) => (nth === 1 ? { moveTo: `/${CENPOP}` } : undefined));
    expect(outcomes(await fetchCenpop(server.url))).toEqual(['new']);
    const circle = await cenpopWith(() => ({ moveTo: `/${CENPOP}` }));
    expect((await fetchCenpop(circle.url)).report.files).toMatchObject([
      { why: expect.stringContaining('more than 5 redirects') },
    ]);
  });

  it('takes no other release from an address that holds whatever is the newest', async () => {
    const path = 'data.cdc.gov/api/views/yjkw-uj5s/rows.csv?accessType=DOWNLOAD';
    const disposition = 'attachment; filename=PLACES__Census_Tract_Data__GIS_Friendly_Format___2026_release.csv';
    const server = await startOfficialServer(
      { 'data.cdc.gov/api/views/yjkw-uj5s/rows.csv': 'StateAbbr\n' },
      { headers: { [`/${path}`]: { 'content-disposition': disposition } } },
    );
    const { report } = await runTestFetch({ sources: ['places'], mirror: server.url });
    expect(report.files).toMatchObject([{ why: expect.stringContaining('its address now has the release of 2026') }]);
  });
});

describe('a disk that is full', () => {
  it('ends the fetch before the first byte where the server announces more than is free', async () => {
    const server = await cenpopWith(() => undefined);
    const free = [1e15, 10];
    const outputDir = join(temporaryDirectory(), 'raw');
    const fetching = fetchCenpop(server.url, { outputDir, freeBytes: () => free.shift() ?? 10 });
    await expect(fetching).rejects.toMatchObject({
      failure: 'space',
      message: expect.stringMatching(/^cenpop\/\S+ needs [\d.]+ KiB, but only 10 bytes are free$/),
    });
    expect(listFiles(outputDir).files).toEqual([]);
  });

  it.each([
    ['kept, to be resumed', {}, [CENPOP_FILE]],
    ['removed if that cannot be resumed', { etag: undefined, 'last-modified': undefined }, []],
  ])(
    'ends the fetch before all is used by a body of unknown length; what has come is %s',
    async (_, headers, parts) => {
      const server = await cenpopWith(() => ({
        pieceBytes: 5000,
        headers: { ...headers, 'content-length': undefined },
      }));
      const free = [1e15, 1e15, 1e15];
      const outputDir = join(temporaryDirectory(), 'raw');
      const fetching = fetchCenpop(server.url, { outputDir, freeBytes: () => free.shift() ?? 1024 });
      await expect(fetching).rejects.toMatchObject({
        failure: 'space',
        message: expect.stringMatching(/ comes without a length; after [\d.]+ KiB of it, only 1\.0 KiB are free$/),
      });
      expect(listParts(storeLayout(outputDir), dirname(CENPOP_FILE))).toEqual(parts);
    },
  );

  it.each<[string, string, Fault, RegExp]>([
    ['ENOSPC', 'of known length', {}, /^cenpop\/\S+ needs another [\d.]+ KiB, but the disk is full$/],
    [
      'EDQUOT',
      'of unknown length',
      { headers: { 'content-length': undefined } },
      /^cenpop\/\S+ comes without a length; after 0 bytes of it, the disk is full$/,
    ],
  ])('ends the fetch when a write fails with %s, for a body %s', async (code, _, fault, message) => {
    const server = await cenpopWith(() => fault);
    const outputDir = join(temporaryDirectory(), 'raw');
    await failWrites(code);
    await expect(fetchCenpop(server.url, { outputDir })).rejects.toMatchObject({
      failure: 'space',
      message: expect.stringMatching(message),
    });
  });
});

it('a disk that fails to read a complete archive does not make it a damaged one, to be downloaded again', async () => {
  const path = join(temporaryDirectory(), 'a.zip');
  writeFileSync(path, zipArchive({ 'a.csv': 'x' }));
  failReads();
  const { signal } = new AbortController();
  await expect(checkContent(path, 'a.zip', undefined, undefined, signal)).rejects.toMatchObject({ code: 'EIO' });
});

describe('a network that is not there', () => {
  /** Fetches a file that two hosts have, and another; `failing` makes a request's error. Returns who was asked how often. */
  async function asked(failing: (host: string) => Error): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    const client: HttpClient = {
      get: async ({ url, signal }) => {
        const { host } = new URL(url);
        counts[host] = (counts[host] ?? 0) + 1;
        const error = failing(host);
        throw error instanceof FetchError ? error : asNetworkError(error, signal);
      },
      close: async () => {},
    };
    await runTestFetch({ sources: ['svi', 'hrsa'], trendYears: [] }, { client });
    return counts;
  }
  const failure = (code: string): Error => Object.assign(new Error('failed'), { code });

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN'])(
    'is waited for only once, where it is missed by %s',
    async (code) => {
      const counts = await asked(() => failure(code));
      expect(Math.max(counts['svi.cdc.gov'] ?? 0, counts['data.hrsa.gov'] ?? 0)).toBe(5);
      expect(counts['web.archive.org']).toBe(1);
    },
  );

  it.each([
    ['that is not there', new FetchError('missing', 'not found (404)')],
    ['that is down', failure('ECONNREFUSED')],
    ['that is slow', failure('UND_ERR_CONNECT_TIMEOUT')],
  ])('is not missed where any host has a file %s', async (_, error) => {
    const counts = await asked((host) => (host === 'data.hrsa.gov' ? error : failure('ENOTFOUND')));
    expect(counts).toMatchObject({ 'svi.cdc.gov': 5, 'web.archive.org': 5 });
  });
});
