import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { readDbf } from '../../../src/load/files/dbf.js';
import { discoverFiles, openOnDisk } from '../../../src/load/files/discover.js';
import { readShp } from '../../../src/load/files/shp.js';
import { InputError } from '../../../src/load/input.js';
import { failReads } from '../../support/failing-reads.js';
import { tractShapefile, writeTree } from '../../support/official-files.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { zipArchive } from '../../support/zip-writer.js';

const discover = (tree: Parameters<typeof writeTree>[1]) =>
  discoverFiles([writeTree(join(temporaryDirectory(), 'in'), tree)]);

const contents = async (tree: Parameters<typeof writeTree>[1]): Promise<Record<string, string>> => {
  const { others } = await discover(tree);
  return Object.fromEntries(await Promise.all(others.map(async (file) => [file.label, await text(await file.open())])));
};

/** The bytes with one of them changed in the middle of where the text stands. */
function flip(bytes: Buffer, near: string): Buffer {
  const at = bytes.indexOf(near);
  if (at < 0) throw new Error(`${near} is not in the bytes`);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

/** An archive whose directory names the same bytes as a thousand members. */
function bomb(): Buffer {
  const archive = zipArchive({ 'a.csv': '0'.repeat(1000) });
  // The end of the directory counts its entries twice, and says how long they are and where they begin.
  const endAt = archive.length - 22;
  const [directoryBytes, directoryAt] = [archive.readUInt32LE(endAt + 12), archive.readUInt32LE(endAt + 16)];
  const end = Buffer.from(archive.subarray(endAt));
  for (const at of [8, 10]) end.writeUInt16LE(1000, at);
  end.writeUInt32LE(1000 * directoryBytes, 12);
  const entries = new Array<Buffer>(1000).fill(archive.subarray(directoryAt, endAt));
  return Buffer.concat([archive.subarray(0, directoryAt), ...entries, end]);
}

describe('discoverFiles', () => {
  it('finds plain, gzipped and zipped files at any depth, by path below the input', async () => {
    const found = await contents({
      'b/c/plain.csv': 'plain',
      'a.csv.gz': gzipSync('gzipped'),
      'b/z.zip': zipArchive({ 'folder/m.csv': 'stored' }),
      'd.zip': zipArchive({ 'n.csv': 'deflated '.repeat(100) }, 'deflated'),
      '.hidden': 'not read',
    });
    expect(found).toEqual({
      'in/a.csv.gz': 'gzipped',
      'in/b/c/plain.csv': 'plain',
      'in/b/z.zip!folder/m.csv': 'stored',
      'in/d.zip!n.csv': 'deflated '.repeat(100),
    });
  });

  it('finds a file once that is below several of the directories, and links to it by their own names', async () => {
    const root = writeTree(join(temporaryDirectory(), 'in'), { 'a.csv': 'a', 'b/c.csv': 'c', 'b/d/e.csv': 'e' });
    symlinkSync('a.csv', join(root, 'link.csv'));
    symlinkSync(root, `${root}-link`);
    const { others } = await discoverFiles([join(root, 'b', 'd'), join(root, 'b'), root, `${root}-link`]);
    expect(others.map(({ label }) => label)).toEqual(['in/a.csv', 'in/b/c.csv', 'in/b/d/e.csv', 'in/link.csv']);
  });

  it('passes over hidden files and folders and macOS’s sidecars, on disk and in archives', async () => {
    const found = await contents({
      'a.csv': 'a',
      '.cache/2023_Gaz_tracts_national.txt': 'hidden',
      'b/.git/deep/x.csv': 'hidden',
      '__MACOSX/._a.csv': 'sidecar',
      'z.zip': zipArchive({
        './m.csv': 'member',
        '__MACOSX/._m.csv': 'sidecar',
        'folder/._m.csv': 'sidecar',
        '.hidden/n.csv': 'hidden',
      }),
    });
    expect(found).toEqual({ 'in/a.csv': 'a', 'in/z.zip!./m.csv': 'member' });
  });

  it('tells links that lead to no file or to a directory, and reads the rest', async () => {
    const root = writeTree(join(temporaryDirectory(), 'in'), { 'a.csv': 'a', 'b/c.csv': 'c' });
    symlinkSync('nowhere.csv', join(root, 'b', 'dangling.csv'));
    symlinkSync('circle.csv', join(root, 'circle.csv'));
    symlinkSync('.', join(root, 'loop'));
    symlinkSync(join(root, 'a.csv'), join(root, 'link.csv'));
    const { others, skipped } = await discoverFiles([root]);
    expect(others.map(({ label }) => label)).toEqual(['in/a.csv', 'in/b/c.csv', 'in/link.csv']);
    expect(skipped).toEqual([
      'in/b/dangling.csv: a broken symbolic link',
      'in/circle.csv: a broken symbolic link',
      'in/loop: a symbolic link to a directory, not followed',
    ]);
  });

  it('takes the parts of a shapefile together, upper and lower case alike, in archives too', async () => {
    const square = [{ geoid: '27053026200', west: -93.3, south: 44.9 }];
    const zipped = zipArchive(
      Object.fromEntries(
        Object.entries(tractShapefile('TL', square)).map(([name, part]) => [name.toUpperCase(), part]),
      ),
    );
    const { shapefiles, others } = await discover({
      ...tractShapefile('x/tl', square),
      'y.zip': zipped,
      'x/tl.shp.xml': '<a/>',
    });
    expect(others).toEqual([]);
    expect(shapefiles.map(({ label, name, dbf, prj }) => [label, name, dbf?.label, prj?.label])).toEqual([
      ['in/x/tl.shp', 'tl', 'in/x/tl.dbf', 'in/x/tl.prj'],
      ['in/y.zip!TL.SHP', 'TL', 'in/y.zip!TL.DBF', 'in/y.zip!TL.PRJ'],
    ]);
  });

  it('lists equal files in equal order, however their directories are named and given', async () => {
    const root = temporaryDirectory();
    const tree = { one: { 'b.csv': 'b', 'm/d.csv': 'd' }, two: { 'a.csv': 'a', 'c.csv': 'c' } };
    const dirs = Object.entries(tree).map(([name, files]) => writeTree(join(root, name), files));
    const names = async (inputDirs: string[]): Promise<string[]> =>
      (await discoverFiles(inputDirs)).others.map(({ name }) => name);
    expect(await names(dirs)).toEqual(['a.csv', 'b.csv', 'c.csv', 'd.csv']);
    expect(await names(dirs.toReversed())).toEqual(await names(dirs));
  });

  it('keeps shapefiles of equal name in two directories of equal name apart', async () => {
    const root = temporaryDirectory();
    const inputs = ['27', '55'].map((state, index) =>
      writeTree(
        join(root, state, 'raw'),
        tractShapefile('tl', [{ geoid: `${state}001000100`, west: -93 + index, south: 45 }]),
      ),
    );
    const { shapefiles } = await discoverFiles(inputs);
    const geoids = shapefiles.map(async ({ dbf }) => {
      const table = dbf && (await readDbf(dbf));
      const field = table?.fields.find(({ name }) => name === 'GEOID');
      return field && table?.cell(0, field);
    });
    expect(await Promise.all(geoids)).toEqual(['27001000100', '55001000100']);
  });

  it('shows what would control a terminal in names, on disk and in archives, and line breaks', async () => {
    const archive = zipArchive({ 'm\u001b[2J\nPublished.csv': 'member' });
    // Names are then read as UTF-8; otherwise as the code page of old, which has pictures for control characters.
    archive.writeUInt16LE(0x0800, archive.indexOf('PK\u0001\u0002') + 8);
    const found = await contents({ 'a\u001b[2J\nPublished.csv': 'a', 'z.zip': archive });
    expect(found).toEqual({
      'in/a\\u{1b}[2J\\u{a}Published.csv': 'a',
      'in/z.zip!m\\u{1b}[2J\\u{a}Published.csv': 'member',
    });
  });

  it('names an empty directory in a data file’s place, and no other', async () => {
    const dir = writeTree(join(temporaryDirectory(), 'in'), { 'a.csv': 'a', 'full.csv/b.txt': 'b' });
    for (const name of ['svi/Delaware.csv', 'tl.ZIP', 'svi/later']) mkdirSync(join(dir, name), { recursive: true });
    const { skipped } = await discoverFiles([dir]);
    expect(skipped).toEqual(['in/svi/Delaware.csv: an empty directory', 'in/tl.ZIP: an empty directory']);
  });

  it('fails with the directory’s name where there is none, nothing in it, or a file in its place', async () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, 'empty'));
    writeFileSync(join(root, 'file'), '');
    await expect(discoverFiles([join(root, 'empty')])).rejects.toThrow(`${root}/empty: no files to load`);
    mkdirSync(join(root, 'links'));
    symlinkSync(join(root, 'empty'), join(root, 'links', 'acs'));
    await expect(discoverFiles([join(root, 'links')])).rejects.toThrow(
      `${root}/links: no files to load; links/acs: a symbolic link to a directory, not followed`,
    );
    await expect(discoverFiles([join(root, 'none')])).rejects.toThrow(`${root}/none: cannot be read: ENOENT`);
    await expect(discoverFiles([join(root, 'file')])).rejects.toThrow(`${root}/file: cannot be read: not a directory`);
  });
});

describe('a member of an archive', () => {
  it.each(['stored', 'deflated'] as const)('is read whole, empty or larger than a piece: %s', async (method) => {
    const large = Array.from({ length: 150_000 }, (_, index) => `${index * 7919},`).join('');
    const files = { 'empty.csv': '', 'large.csv': large, 'small.csv': 'a' };
    const found = await contents({ 'x.zip': zipArchive(files, method) });
    expect(Object.keys(found)).toEqual(Object.keys(files).map((name) => `in/x.zip!${name}`));
    expect(Object.values(found).map((text) => text === large || text)).toEqual(['', true, 'a']);
  });

  it('packed by an unknown method is refused by name, and leaves no file open', async () => {
    const archive = zipArchive({ 'a.csv': 'a,b' });
    for (const at of [8, archive.indexOf('PK\x01\x02') + 10]) archive.writeUInt16LE(9, at);
    const [member] = (await discover({ 'x.zip': archive })).others;
    const path = member?.place?.disk.path;
    const isOpen = (fd: string): boolean =>
      existsSync(`/proc/self/fd/${fd}`) && readlinkSync(`/proc/self/fd/${fd}`) === path;
    await expect(member?.open()).rejects.toThrow(
      'in/x.zip!a.csv: cannot be read: it is compressed by method 9; unpack it',
    );
    // A leaked one is being opened meanwhile.
    await wait(50);
    expect(existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').filter(isOpen) : []).toEqual([]);
  });

  it.each([
    ['as usual', 0x01, 'in/x.zip!a.csv'],
    ['strongly, which is said of the archive', 0x41, 'in/x.zip'],
  ])('that is encrypted %s is refused by name', async (_, flags, label) => {
    const archive = zipArchive({ 'a.csv': 'a,b' });
    for (const at of [6, archive.indexOf('PK\x01\x02') + 8]) {
      archive.writeUInt16LE(flags, at);
      // Deflated: the length of what is only stored would have to be that of the encrypted bytes.
      archive.writeUInt16LE(8, at + 2);
    }
    await expect(contents({ 'x.zip': archive })).rejects.toThrow(
      `${label}: cannot be read: it is encrypted; unpack it`,
    );
  });

  it('whose directory is damaged is refused, with what to do', async () => {
    const archive = zipArchive({ 'a.csv': 'a,b', 'b.csv': 'c,d' });
    archive.writeUInt8(0, archive.lastIndexOf('PK\x01\x02'));
    await expect(discover({ 'x.zip': archive })).rejects.toThrow(
      /^in\/x\.zip: cannot be read: its directory is not whole \(invalid central .+\); it is damaged, so download it again$/,
    );
  });

  it('with an absolute name is read without the slash at its beginning, and refused where its name leads out', async () => {
    const members = { '/data/a.csv': 'a', '//b.csv': 'b', '\\\\server\\c.csv': 'c', '/': '', '/.hidden/d.csv': 'd' };
    expect(await contents({ 'x.zip': zipArchive(members) })).toEqual({
      ...{ 'in/x.zip!data/a.csv': 'a', 'in/x.zip!b.csv': 'b', 'in/x.zip!server/c.csv': 'c' },
    });
    for (const name of ['/../a.csv', 'data/../../a.csv', 'C:/a.csv', '/C:/a.csv']) {
      const path = name.replace(/^\//, '');
      await expect(discover({ 'x.zip': zipArchive({ [name]: 'a' }) })).rejects.toThrow(
        new RegExp(`^in/x\\.zip: cannot be read: (invalid relative|absolute) path: ${path.replaceAll('.', '\\.')}$`),
      );
    }
  });

  it('says where another thread finds it, hidden members left out of the count', async () => {
    const tree = { 'a.csv': 'a', 'x.zip': zipArchive({ '.hidden': 'h', 'b.csv': 'b', 'c.csv': 'c' }) };
    const { others } = await discover(tree);
    for (const { label, place } of others) {
      if (!place) throw new Error(`${label} lies on disk`);
      const again = (await openOnDisk(place.disk))[place.member];
      expect(again?.label).toBe(label);
    }
    expect(others.map(({ place }) => place?.member)).toEqual([0, 0, 1]);
  });
});

test.each(['a.csv', 'a.csv.gz', 'a.zip'])(
  'a file that is removed after it was listed is named in the error: %s',
  async (name) => {
    const path = join(temporaryDirectory(), name);
    const opened = openOnDisk({ path, label: `in/${name}` });
    await expect(opened).rejects.toThrow(InputError);
    await expect(opened).rejects.toThrow(`in/${name}: it was removed after the files were listed; try again`);
  },
);

describe('an archive that bytes follow', () => {
  const members = { 'a.csv': 'a', 'folder/b.csv': 'b'.repeat(1000) };
  const expected = { 'in/x.zip!a.csv': 'a', 'in/x.zip!folder/b.csv': 'b'.repeat(1000) };
  const archive = zipArchive(members, 'deflated');
  const commented = Buffer.concat([archive, Buffer.from('a comment')]);
  commented.writeUInt16LE(9, archive.length - 2);

  it.each([
    ['a line break', Buffer.from('\r\n')],
    ['zeros to a whole block', Buffer.alloc(512)],
    ['what looks like another end', Buffer.from('PK\x05\x06'.repeat(20))],
    ['many bytes', Buffer.alloc(65_535, 'x')],
  ])('is read without them: %s', async (_, bytes) => {
    expect(await contents({ 'x.zip': Buffer.concat([archive, bytes]) })).toEqual(expected);
    expect(await contents({ 'x.zip': Buffer.concat([commented, bytes.subarray(0, 60_000)]) })).toEqual(expected);
  });

  it('of more than 65,535 bytes is refused, as is one whose end is missing although that of a member is there', async () => {
    const beyond = Buffer.concat([archive, Buffer.alloc(65_536, 'x')]);
    await expect(discover({ 'x.zip': beyond })).rejects.toThrow('the end of the archive is missing');
    const nested = zipArchive({ 'a.csv': 'a'.repeat(100), 'inner.zip': archive });
    const cutOff = nested.subarray(0, nested.lastIndexOf('PK\x01\x02'));
    await expect(discover({ 'x.zip': cutOff })).rejects.toThrow('the end of the archive is missing');
  });

  it('keeps the checks of its members', async () => {
    const shared = Buffer.concat([bomb(), Buffer.from('\n')]);
    await expect(discover({ 'x.zip': shared })).rejects.toThrow('in/x.zip: cannot be read: its members overlap');
    const damaged = flip(Buffer.concat([zipArchive({ 'a.csv': 'GEOID,VALUE\n' }), Buffer.from('\n')]), 'VALUE');
    await expect(contents({ 'x.zip': damaged })).rejects.toThrow('in/x.zip!a.csv: cannot be read: its CRC-32 differs');
  });
});

describe('an archive whose comment contains what looks like an end', () => {
  const archive = zipArchive({ 'a.csv': 'a', 'folder/b.csv': 'b'.repeat(1000) }, 'deflated');
  const end = Buffer.from('PK\x05\x06');
  const withComment = (comment: Buffer): Buffer => {
    const whole = Buffer.concat([archive, comment]);
    whole.writeUInt16LE(comment.length, archive.length - 2);
    return whole;
  };

  it.each([
    ['that of an archive without members', Buffer.concat([Buffer.from('about '), end, Buffer.alloc(18)])],
    ['one with a comment of its own', Buffer.concat([end, Buffer.alloc(16), Buffer.from([3, 0]), Buffer.from('abc')])],
    ['only its signature', Buffer.concat([Buffer.from('about '), end, Buffer.from(' and how archives end')])],
  ])('is read as if it did not: %s', async (_, comment) => {
    const expected = { 'in/x.zip!a.csv': 'a', 'in/x.zip!folder/b.csv': 'b'.repeat(1000) };
    expect(await contents({ 'x.zip': withComment(comment) })).toEqual(expected);
    expect(await contents({ 'x.zip': Buffer.concat([withComment(comment), Buffer.from('\r\n')]) })).toEqual(expected);
  });
});

test('an archive without files is listed with what could not be opened', async () => {
  const { others, skipped } = await discover({
    'a.csv': 'a',
    'b.zip': zipArchive({}),
    'c.zip': zipArchive({ 'd/': '' }),
  });
  expect(others.map(({ label }) => label)).toEqual(['in/a.csv']);
  expect(skipped).toEqual(['in/b.zip: an archive without files', 'in/c.zip: an archive without files']);
  await expect(discover({ 'b.zip': zipArchive({}) })).rejects.toThrow(
    'no files to load; in/b.zip: an archive without files',
  );
});

describe('a damaged archive', () => {
  it('cut off is named', async () => {
    const whole = zipArchive({ 'a.csv': 'x'.repeat(1000) });
    for (const length of [0, 10, 500, whole.length - 1]) {
      await expect(discover({ 'bad.zip': whole.subarray(0, length) })).rejects.toThrow(/^in\/bad\.zip: cannot be read/);
    }
  });

  it('whose members share their bytes is refused', async () => {
    await expect(discover({ 'bomb.zip': bomb() })).rejects.toThrow('in/bomb.zip: cannot be read: its members overlap');
  });

  it('with a flipped byte in a member fails by its checksum, naming the member', async () => {
    const read = contents({ 'bad.zip': flip(zipArchive({ 'a.csv': 'GEOID,VALUE\n' }), 'VALUE') });
    await expect(read).rejects.toThrow(InputError);
    await expect(read).rejects.toThrow(
      'in/bad.zip!a.csv: cannot be read: its CRC-32 differs; it is damaged, so download it again',
    );
  });

  it('with any flipped byte in a deflated member fails, naming the member', async () => {
    const good = zipArchive(
      { 'a.csv': Array.from({ length: 500 }, (_, index) => `${index * 7919},`).join('') },
      'deflated',
    );
    const start = 30 + 'a.csv'.length;
    const size = good.readUInt32LE(18);
    for (let at = start; at < start + size; at += 97) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ 0x10;
      await expect(contents({ 'bad.zip': bad })).rejects.toThrow(/^in\/bad\.zip!a\.csv: cannot be read/);
    }
  });

  it.each(['shp', 'dbf'] as const)(
    'whose .%s is not what its checksum says fails though the reader knows where its data end',
    async (part) => {
      // So large that its end is not at hand when the last record is.
      const tracts = Array.from({ length: 3000 }, (_, index) => ({
        geoid: String(27053000000 + index),
        west: -93.3,
        south: 44.9,
      }));
      const files = tractShapefile('tl', tracts);
      const archive = zipArchive(files, 'deflated');
      // The directory's entry of the member, in which the checksum stands 30 bytes before the name.
      const checksumAt = archive.lastIndexOf(`tl.${part}`) - 30;
      archive[checksumAt] = (archive[checksumAt] ?? 0) ^ 1;
      const { shapefiles } = await discover({ 'bad.zip': archive });
      const [set] = shapefiles;
      if (!set?.dbf) throw new Error('one shapefile was written');
      const read =
        part === 'dbf'
          ? readDbf(set.dbf)
          : readShp(
              set.shp,
              () => true,
              () => undefined,
            );
      await expect(read).rejects.toThrow(`in/bad.zip!tl.${part}: cannot be read: its CRC-32 differs`);
    },
  );

  it('gzipped and cut off, or with a flipped byte, is named', async () => {
    const good = gzipSync('GEOID,VALUE\n'.repeat(1000));
    const damaged = 'in/a.csv.gz: cannot be read: it is damaged; download it again';
    await expect(contents({ 'a.csv.gz': good.subarray(0, good.length - 20) })).rejects.toThrow(damaged);
    const bad = Buffer.from(good);
    bad[bad.length - 6] = (bad[bad.length - 6] ?? 0) ^ 1;
    await expect(contents({ 'a.csv.gz': bad })).rejects.toThrow(damaged);
    // Not: that it is not compressed at all, and should be called otherwise.
    await expect(contents({ 'a.csv.gz': Buffer.concat([good, Buffer.from('more')]) })).rejects.toThrow(damaged);
  });

  it('not gzipped in spite of its name is told apart from a damaged one', async () => {
    await expect(contents({ 'a.csv.gz': 'GEOID,VALUE\n' })).rejects.toThrow(
      'in/a.csv.gz: cannot be read: it is not compressed with gzip; remove .gz from its name',
    );
    await expect(contents({ 'a.csv.gz': '\uFEFF\n<!DOCTYPE html>' })).rejects.toThrow(
      'in/a.csv.gz: cannot be read: it is a web page, not compressed with gzip; download it again',
    );
  });

  it('says that the disk fails to read an archive, and not that its end is missing', async () => {
    const tree = { 'a.zip': zipArchive({ 'a.csv': 'x' }) };
    failReads();
    await expect(discover(tree)).rejects.toThrow('in/a.zip: cannot be read: EIO: i/o error, read');
  });

  it.each([
    ['empty', '', 'it is empty'],
    ['a web page', '\uFEFF\n<!DOCTYPE html><html>sorry', 'it is a web page, not a zip archive; download it again'],
    ['an error in JSON', '{"error": "gone"}\n', 'it is JSON, not a zip archive ({"error": "gone"}); download it again'],
    ['gzipped', gzipSync('GEOID,VALUE\n'), 'it is compressed with gzip and is not a zip archive; end its name in .gz'],
    [
      'neither of these',
      'a text '.repeat(100),
      'it is not a zip archive; download it again, or, if it is a table, remove .zip from its name',
    ],
    [
      'cut off',
      zipArchive({ 'a.csv': 'x' }).subarray(0, 30),
      'the end of the archive is missing; is the download complete?',
    ],
  ])('says what it is: %s', async (_, content, why) => {
    await expect(discover({ 'x.zip': content })).rejects.toThrow(`in/x.zip: cannot be read: ${why}`);
  });
});
