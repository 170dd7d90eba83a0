import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressesFileName } from '../../src/format/addresses/shard.js';
import { createShardBuilder } from '../../src/format/addresses/shard-builder.js';
import { packageFile } from '../../src/platform/package-root.js';
import { openBuilt } from '../support/street-files.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const MATCHES = 20_000;

const built = (...path: string[]): string => JSON.stringify(packageFile('dist', 'src', ...path));

/** In a process of its own: V8 decides by all that ran before where it puts what is young. */
const script = (shardPath: string): string => `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { addressFilesOf } from ${built('format', 'addresses', 'address-files.js')};
  import { openAddressShard } from ${built('format', 'addresses', 'shard-reader.js')};
  import { mapFile } from ${built('format', 'byte-source.js')};
  import { matchAddress } from ${built('geocode', 'match', 'match-address.js')};
  const files = addressFilesOf([openAddressShard(mapFile(${JSON.stringify(shardPath)}))]);
  const matchTimes = (count) => {
    for (let at = 0; at < count; at++) {
      const match = matchAddress(files, () => 0, (100 + (at % 90)) + ' Samplewood Ave, Sampleton, DE 19901');
      if ('noMatch' in match) throw new Error(JSON.stringify(match));
    }
  };
  const oldBytes = () =>
    getHeapSpaceStatistics()
      .filter(({ space_name }) => !space_name.startsWith('new'))
      .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
  matchTimes(5000);
  gc();
  const before = oldBytes();
  matchTimes(${MATCHES});
  console.log((oldBytes() - before) / ${MATCHES});`;

test('what is made for a match does not outlive the collections of the young', () => {
  const directory = temporaryDirectory();
  const builder = createShardBuilder('10');
  const edge = builder.addEdge(Int32Array.of(-75_010_000, 45_000_000, -75_000_000, 45_000_000));
  const range = { street: 'Samplewood Ave', zip: '19901', prefix: '', from: 100, to: 198, mixed: true, edge, tract: 0 };
  builder.addRange({ ...range, side: 'left' });
  builder.addCity('19901', 'Sampleton');
  for (const { container } of openBuilt('10', builder, directory).shards) container.release();
  const path = join(directory, addressesFileName('10'));
  const args = ['--expose-gc', '--input-type=module', '-e', script(path)];
  const bytesPerMatch = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  // With an object that has a getter for each match: 150; as it is: some 10.
  expect(bytesPerMatch).toBeLessThan(60);
});
