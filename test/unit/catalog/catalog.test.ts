import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { holdAlone } from '../../../src/catalog/directory/generation-hold.js';
import { currentPath, generationPath } from '../../../src/catalog/directory/generations.js';
import { type Deferred, deferred } from '../../../src/core/deferred.js';
import { openDataset } from '../../../src/format/dataset.js';
import { FormatError } from '../../../src/format/format-error.js';
import { PREAMBLE } from '../../../src/format/layout.js';
import { OUTLINES_FILE } from '../../../src/format/outlines-file.js';
import { TRACTS_FILE } from '../../../src/format/tracts-file.js';
import { eventually } from '../../support/eventually.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';
import { openWatched } from './opened-datasets.js';

test('the published generation is opened at the start', () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  const { catalog, events } = openWatched(datasetsDir);
  expect(catalog.current()).toMatchObject({ generation, directory: generationPath(datasetsDir, generation) });
  expect(events.opened).toHaveBeenCalledOnce();
});

test('a catalog with a first generation opens that one, whatever is published by now', () => {
  const datasetsDir = temporaryDirectory();
  const first = publishTinyDataset(datasetsDir);
  publishTinyDataset(datasetsDir, 1);
  const { catalog, events } = openWatched(datasetsDir, first);
  expect(catalog.generation()).toBe(first);
  expect(events.opened).toHaveBeenCalledOnce();
});

test('if the first generation is gone, the catalog reports it and opens the published one', () => {
  const datasetsDir = temporaryDirectory();
  const published = publishTinyDataset(datasetsDir);
  const gone = 'ab'.repeat(16);
  const { catalog, events } = openWatched(datasetsDir, gone);
  expect(catalog.generation()).toBe(published);
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(gone, expect.stringContaining('unknown-generation'));
});

test('if nothing is published, not even a directory, the first publication goes live', async () => {
  const datasetsDir = join(temporaryDirectory(), 'not', 'yet');
  const { catalog, events } = openWatched(datasetsDir);
  expect(catalog.current()).toBeUndefined();
  expect(catalog.absence()).toBe('No dataset published yet.');

  const generation = publishTinyDataset(datasetsDir);
  await eventually(() => expect(catalog.current()?.generation).toBe(generation));
  expect(events.nothingPublished).toHaveBeenCalledOnce();
  expect(events.opened).toHaveBeenCalledOnce();
});

test('a broken generation is reported once and never served, and its successor goes live', async () => {
  const datasetsDir = temporaryDirectory();
  const broken = 'ab'.repeat(16);
  mkdirSync(generationPath(datasetsDir, broken), { recursive: true });
  writeFileSync(currentPath(datasetsDir), broken);
  const { catalog, events } = openWatched(datasetsDir);
  expect(catalog.current()).toBeUndefined();
  expect(catalog.absence()).toBe('The published dataset cannot be opened.');
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(broken, expect.stringContaining('file-missing'));

  publishTinyDataset(datasetsDir);
  await eventually(() => expect(catalog.current()).toBeDefined());
  expect(events.failed).toHaveBeenCalledOnce();
});

test('a generation that cannot be opened for a moment is retried, and reported once for each reason', async () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  const open = vi.fn(openDataset);
  for (const reason of ['EMFILE', 'ENOMEM', 'EMFILE']) {
    open.mockImplementationOnce(() => {
      throw new Error(reason);
    });
  }
  open.mockImplementationOnce((directory) => {
    throw new FormatError('cannot-open', directory, 'EMFILE');
  });
  const { catalog, events } = openWatched(datasetsDir, undefined, { open });
  expect(catalog.current()).toBeUndefined();
  await eventually(() => expect(catalog.generation()).toBe(generation));
  expect(events.failed.mock.calls).toEqual([
    [generation, 'EMFILE'],
    [generation, 'ENOMEM'],
    [generation, expect.stringMatching(/^cannot-open: /)],
  ]);
});

test('a damaged generation is not tried again until it is rebuilt', async () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  truncateSync(join(generationPath(datasetsDir, generation), TRACTS_FILE), 1000);
  const open = vi.fn(openDataset);
  const { catalog } = openWatched(datasetsDir, undefined, { open });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(open).toHaveBeenCalledOnce();
  expect(publishTinyDataset(datasetsDir)).toBe(generation);
  await eventually(() => expect(catalog.generation()).toBe(generation));
});

test('a generation that is seen while its files are being copied goes live once they are complete', async () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  const path = join(generationPath(datasetsDir, generation), TRACTS_FILE);
  const content = readFileSync(path);
  truncateSync(path, 1000);
  const open = vi.fn(openDataset);
  const { catalog } = openWatched(datasetsDir, undefined, { open });
  expect(open).toHaveBeenCalledOnce();
  appendFileSync(path, content.subarray(1000));
  await eventually(() => expect(catalog.generation()).toBe(generation));
});

test('a catalog that follows takes only prepared generations live', async () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  const { catalog } = openWatched(datasetsDir, undefined, { follows: true });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([catalog.generation(), catalog.absence()]).toEqual([undefined, 'No dataset published yet.']);
  writeFileSync(currentPath(datasetsDir), 'garbage');
  expect(catalog.absence()).toBe('The published dataset cannot be opened.');
  await (await catalog.prepare(generation)).commit();
  expect(catalog.generation()).toBe(generation);
});

test('a truncated file is not served', () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  truncateSync(join(generationPath(datasetsDir, generation), TRACTS_FILE), 1000);
  const { catalog, events } = openWatched(datasetsDir);
  expect(catalog.current()).toBeUndefined();
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(generation, expect.stringContaining('wrong-length'));
});

test('a generation whose directory cannot be inspected is reported once, and goes live when it can be', async () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  const [path, elsewhere] = [generationPath(datasetsDir, generation), join(datasetsDir, 'elsewhere')];
  renameSync(path, elsewhere);
  symlinkSync(path, path);
  const { catalog, events } = openWatched(datasetsDir);
  await new Promise((resolve) => setTimeout(resolve, 30));
  const reason = `generation ${generation} cannot be read: it is a circular symbolic link`;
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(undefined, reason);
  expect(catalog.absence()).toBe('The published dataset cannot be opened.');
  rmSync(path);
  renameSync(elsewhere, path);
  await eventually(() => expect(catalog.generation()).toBe(generation));
});

test('an unreadable CURRENT is reported once, and its replacement is followed', async () => {
  const datasetsDir = temporaryDirectory();
  mkdirSync(currentPath(datasetsDir));
  const { catalog, events } = openWatched(datasetsDir);
  expect(catalog.absence()).toBe('The published dataset cannot be opened.');
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(undefined, 'CURRENT cannot be read: it is a directory');

  rmdirSync(currentPath(datasetsDir));
  publishTinyDataset(datasetsDir);
  await eventually(() => expect(catalog.current()).toBeDefined());
  expect(events.failed).toHaveBeenCalledOnce();
});

test('a datasets directory that is a file is reported', () => {
  const file = join(temporaryDirectory(), 'datasets');
  writeFileSync(file, '');
  const { catalog, events } = openWatched(file);
  expect(catalog.absence()).toBe('The published dataset cannot be opened.');
  const reason = 'CURRENT cannot be read: a part of its path is not a directory';
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(undefined, reason);
});

test.each([
  ['empty', '', 'CURRENT names no generation: it is empty'],
  [
    'no name',
    Buffer.from([0, 255, 10, 27, 7]),
    'CURRENT names no generation: its content is not the name of a generation',
  ],
])('a CURRENT that is %s is told of, and what replaces it is taken', async (_, content, reason) => {
  const datasetsDir = temporaryDirectory();
  writeFileSync(currentPath(datasetsDir), content);
  const { catalog, events } = openWatched(datasetsDir);
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(undefined, reason);
  expect(events.nothingPublished).not.toHaveBeenCalled();
  publishTinyDataset(datasetsDir);
  await eventually(() => expect(catalog.current()).toBeDefined());
});

test('closing releases the dataset once, and nothing is live any more', async () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  const { catalog, events, stop } = openWatched(datasetsDir);
  await catalog.close();
  await catalog.close();
  expect(stop).toHaveBeenCalledOnce();
  expect(events.closed).toHaveBeenCalledExactlyOnceWith(generation);
  expect([catalog.current(), catalog.acquire(), catalog.generation()]).toEqual([undefined, undefined, undefined]);
});

test('a generation in use when the catalog closes is released with its last reader', async () => {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const { catalog, events, stop } = openWatched(datasetsDir);
  const lease = catalog.acquire();
  await catalog.close();
  expect(stop).toHaveBeenCalledOnce();
  expect(events.closed).not.toHaveBeenCalled();
  expect(lease?.value.tracts.geoids[0]).toBe(27_001_000_100);
  lease?.release();
  await eventually(() => expect(events.closed).toHaveBeenCalledOnce());
});

describe('another generation', () => {
  /** Two generations, the first one live. */
  function two() {
    const datasetsDir = temporaryDirectory();
    const first = publishTinyDataset(datasetsDir);
    const opened = openWatched(datasetsDir);
    return { ...opened, datasetsDir, first, second: publishTinyDataset(datasetsDir, 1) };
  }

  test('answers requests that begin after the commit, while earlier ones finish on the old one', async () => {
    const { catalog, events, stop, first, second } = two();
    const [early, late] = [catalog.acquire(), catalog.acquire()];
    const prepared = await catalog.prepare(second);
    expect(catalog.generation()).toBe(first);

    await prepared.commit();
    expect(catalog.generation()).toBe(second);
    expect(catalog.acquire()?.value.tracts.values[0]?.[0]).toBe(1001);
    early?.release();
    expect(late?.value.tracts.values[0]?.[0]).toBe(1000);
    expect(stop).not.toHaveBeenCalled();

    late?.release();
    await eventually(() => expect(events.closed).toHaveBeenCalledExactlyOnceWith(first));
    expect(stop).toHaveBeenCalledOnce();
  });

  test('is warmed up before it can be committed, and released if that fails', async () => {
    const { catalog, events, warm, second, first } = two();
    warm.mockRejectedValueOnce(new Error('no threads'));
    await expect(catalog.prepare(second)).rejects.toThrow('no threads');
    expect(events.closed).toHaveBeenCalledExactlyOnceWith(second);
    expect(catalog.generation()).toBe(first);
  });

  test('is released when it is discarded, and the old one stays live', async () => {
    const { catalog, events, second, first } = two();
    await (await catalog.prepare(second)).discard();
    expect(events.closed).toHaveBeenCalledExactlyOnceWith(second);
    expect(catalog.generation()).toBe(first);
  });

  test('replaces the live one under the same name if its files were rebuilt', async () => {
    const { catalog, events, first, datasetsDir } = two();
    const before = catalog.current();
    const directory = generationPath(datasetsDir, first);
    cpSync(directory, `${directory}-anew`, { recursive: true });
    rmSync(directory, { recursive: true });
    renameSync(`${directory}-anew`, directory);
    await (await catalog.prepare(first)).commit();
    expect(catalog.current()).not.toBe(before);
    expect(events.opened).toHaveBeenCalledTimes(2);
    await eventually(() => expect(events.closed).toHaveBeenCalledExactlyOnceWith(first));
    // And that is live from now on.
    const anew = catalog.current();
    await (await catalog.prepare(first)).commit();
    expect(catalog.current()).toBe(anew);
  });

  test('that went live is released once when the catalog closes, which waits for the readers of the one before', async () => {
    const { catalog, events, stop, first, second } = two();
    const lease = catalog.acquire();
    await (await catalog.prepare(second)).commit();
    const closed = vi.fn();
    const closing = catalog.close().then(closed);
    await eventually(() => expect(events.closed).toHaveBeenCalledExactlyOnceWith(second));
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).not.toHaveBeenCalled();
    lease?.release();
    await closing;
    expect(events.closed.mock.calls).toEqual([[second], [first]]);
    expect(stop).toHaveBeenCalledTimes(2);
  });

  test('that is live already is not opened again', async () => {
    const { catalog, datasetsDir, events, warm, first } = two();
    const prepared = await catalog.prepare(first);
    await prepared.commit();
    expect(warm).not.toHaveBeenCalled();
    expect(events.opened).toHaveBeenCalledOnce();
    // Nor if its files are gone, which it does not need any more.
    rmSync(generationPath(datasetsDir, first), { recursive: true });
    expect(await catalog.prepare(first)).toMatchObject({ isLive: true });
  });

  test.each([
    ['with a file cut off', 'damaged', (path: string) => truncateSync(path, 1000)],
    ['without a file', 'damaged', (path: string) => rmSync(path)],
    ['of another format version', 'unsupported-format', (path: string) => writeByte(path, PREAMBLE.version, 1)],
  ])('%s is refused by a typed error, its maps released, and the old one stays', async (_, code, spoil) => {
    const { catalog, datasetsDir, second, first } = two();
    const directory = generationPath(datasetsDir, second);
    spoil(join(directory, OUTLINES_FILE));
    await expect(catalog.prepare(second)).rejects.toMatchObject({
      name: 'CatalogError',
      code,
      damage: { file: OUTLINES_FILE },
    });
    expect(catalog.generation()).toBe(first);
    expect(holdAlone(directory)).toBeDefined();
    if (process.platform === 'linux') expect(readFileSync('/proc/self/maps', 'utf8')).not.toContain(directory);
  });

  test('that is being warmed up when the catalog closes is discarded, which closing waits for', async () => {
    const { catalog, events, warm, stop, second } = two();
    const warming = deferred<void>();
    warm.mockReturnValueOnce(warming.promise);
    // As a pool does that is closed while it is warmed.
    stop.mockImplementationOnce(() => Promise.resolve(warming.reject(new Error('no threads any more'))));
    const prepared = catalog.prepare(second);
    const refused = expect(prepared).rejects.toMatchObject({ name: 'CatalogError', code: 'stopped' });
    await eventually(() => expect(warm).toHaveBeenCalledOnce());
    await catalog.close();
    await refused;
    expect(catalog.generation()).toBeUndefined();
    expect(events.closed).toHaveBeenCalledWith(second);
    expect(events.opened).toHaveBeenCalledOnce();
    expect(stop).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['failed', (warming: Deferred<void>) => warming.reject(new Error('stopped'))],
    ['succeeded', (warming: Deferred<void>) => warming.resolve()],
  ])(
    'that is given up keeps its memory until its warm-up has %s, though the workers have ended before',
    async (_, end) => {
      const { catalog, events, warm, stop, second } = two();
      const warming = deferred<void>();
      warm.mockReturnValueOnce(warming.promise);
      const refused = expect(catalog.prepare(second)).rejects.toMatchObject({ code: 'stopped' });
      await eventually(() => expect(warm).toHaveBeenCalledOnce());
      const closing = catalog.close();
      // Whatever follows the end of the workers at once has happened by the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      expect(stop).toHaveBeenCalled();
      expect(events.closed).not.toHaveBeenCalledWith(second);
      end(warming);
      await closing;
      await refused;
      expect(events.closed).toHaveBeenCalledWith(second);
    },
  );

  test('that is being opened when the catalog closes is closed without being warmed up', async () => {
    const { catalog, events, warm, second } = two();
    const refused = expect(catalog.prepare(second)).rejects.toMatchObject({ code: 'stopped' });
    await catalog.close();
    expect(events.closed).toHaveBeenCalledWith(second);
    await refused;
    expect(warm).not.toHaveBeenCalled();
  });

  test('that is prepared when the catalog closes is closed with it, and cannot go live any more', async () => {
    const { catalog, datasetsDir, events, stop, second } = two();
    const { commit, discard } = await catalog.prepare(second);
    await catalog.close();
    expect(events.closed).toHaveBeenCalledWith(second);
    await expect(commit()).rejects.toMatchObject({ code: 'stopped' });
    await discard();
    expect(stop).toHaveBeenCalledTimes(2);
    expect([catalog.generation(), readServed(datasetsDir)]).toEqual([undefined, expect.not.stringContaining(second)]);
    await expect(catalog.prepare(second)).rejects.toMatchObject({ code: 'stopped' });
  });

  test('that does not exist is refused', async () => {
    const { catalog } = two();
    await expect(catalog.prepare('ab'.repeat(16))).rejects.toMatchObject({ code: 'unknown-generation' });
  });
});

const readServed = (datasetsDir: string): string => readFileSync(join(datasetsDir, 'SERVED'), 'utf8');

function writeByte(path: string, offset: number, value: number): void {
  const bytes = readFileSync(path);
  bytes[offset] = value;
  writeFileSync(path, bytes);
}
