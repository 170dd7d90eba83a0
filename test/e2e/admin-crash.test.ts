import { expect, test } from 'vitest';
import { openIssuedKeys } from '../../src/keys/issued-keys.js';
import { createKeyring, type Keyring } from '../../src/keys/keyring.js';
import { openState } from '../../src/state/open-state.js';
import { runIssuer } from '../support/issuer-process.js';
import { rounds } from '../support/rounds.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const KILLS = rounds(2, 30);

/** The keys that a state directory opens, and how many entries its audit log has of their making. */
async function reopened<T>(directory: string, look: (keyring: Keyring, issues: number) => T): Promise<T> {
  const state = await openState(directory);
  try {
    const issued = await openIssuedKeys({ state, nowMs: Date.now });
    const issues = await state.dump(
      (records) => [...records].filter(({ collection }) => collection === 'audit').length,
    );
    return look(createKeyring([], issued), issues);
  } finally {
    await state.close();
  }
}

test('every issued key survives kill -9 at any moment, and each is in the audit log', async () => {
  const directory = temporaryDirectory();
  const shown: string[] = [];
  for (let round = 0; round < KILLS; round++) {
    const run = await runIssuer(directory, { killAfter: 1 + ((round * 37) % 41) });
    expect(run.exitCode).toBeNull();
    shown.push(...run.keys);
  }
  await reopened(directory, (keyring, issues) => {
    expect(shown.filter((key) => !keyring.identify(key))).toEqual([]);
    expect(keyring.size).toBeGreaterThanOrEqual(shown.length);
    expect(issues).toBe(keyring.size);
  });
});

test('on a full disk no key is shown that is not stored, and stored keys remain', async () => {
  const directory = temporaryDirectory();
  const before = await runIssuer(directory, { count: 5 });
  const full = await runIssuer(directory, { fileLimitKibibytes: 1500 });
  expect(full.failures).toEqual(['failed disk-full']);
  expect(full.keys.length).toBeGreaterThan(0);
  await reopened(directory, (keyring, issues) => {
    for (const key of [...before.keys, ...full.keys]) expect(keyring.identify(key)).toBeDefined();
    expect(issues).toBe(keyring.size);
  });
  expect((await runIssuer(directory, { count: 5 })).failures).toEqual([]);
});

test('keys issued concurrently in several processes are all stored', async () => {
  const directory = temporaryDirectory();
  const runs = await Promise.all([1, 2, 3].map(() => runIssuer(directory, { count: 20 })));
  const keys = runs.flatMap((run) => run.keys);
  expect(new Set(keys).size).toBe(60);
  await reopened(directory, (keyring, issues) => {
    expect(new Set(keys.map((key) => keyring.identify(key)?.id)).size).toBe(60);
    expect(issues).toBe(60);
  });
});
