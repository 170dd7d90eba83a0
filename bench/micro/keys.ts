import { hash } from 'node:crypto';
import { join } from 'node:path';
import { openIssuedKeys } from '../../src/keys/issued-keys.js';
import { keyRecords } from '../../src/keys/key-record.js';
import { makeKeyText } from '../../src/keys/key-text.js';
import { createKeyring, type Keyring } from '../../src/keys/keyring.js';
import { openState } from '../../src/state/open-state.js';
import { consume } from '../lib/consume.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { type Figure, WrongAnswerError } from '../lib/suite.js';

const KEYS = 100_000;
const ROUNDS = 7;
const WARM_UPS = 2;
/** Keys are tried in this stride, so that no cache can predict the next one. Coprime to the number of keys. */
const STRIDE = 7919;

/** Measures identifying a request's API key among many. Throws `WrongAnswerError` if a key is identified wrongly. */
export async function measureKeys(
  tempDir: string,
  note: (text: string) => void,
): Promise<{ checks: string[]; figures: Figure[] }> {
  note(`issuing ${KEYS} keys`);
  const state = await openState(join(tempDir, 'keys'));
  const texts = Array.from({ length: KEYS }, () => makeKeyText());
  try {
    await state.transact((transaction) => {
      for (const [at, text] of texts.entries()) transaction.put(keyRecords, [idOf(at)], recordOf(text, at));
    });
    const startedAtMs = performance.now();
    const issued = await openIssuedKeys({ state, nowMs: Date.now });
    const loadMs = performance.now() - startedAtMs;
    const keyring = createKeyring([], issued);
    const mistyped = texts.map((text) => `${text.slice(0, -1)}${text.endsWith('1') ? '2' : '1'}`);
    check(keyring, texts, mistyped);
    note('timing keys');
    return {
      checks: [`${KEYS} issued keys are recognized, and none of their mistyped forms`],
      figures: [...(await timeKeys(keyring, texts, mistyped)), figure(`reading ${KEYS} issued keys`, 'ms', [loadMs])],
    };
  } finally {
    await state.close();
  }
}

async function timeKeys(keyring: Keyring, texts: readonly string[], mistyped: readonly string[]): Promise<Figure[]> {
  const { known, refused, digest } = await alternate(
    [
      { name: 'known', run: () => microseconds(texts, (text) => (keyring.identify(text) ? 1 : 0)) },
      { name: 'refused', run: () => microseconds(mistyped, (text) => (keyring.identify(text) ? 1 : 0)) },
      { name: 'digest', run: () => microseconds(texts, (text) => hash('sha256', text, 'buffer').length) },
    ],
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  return [
    figure(`key check among ${KEYS}`, 'µs', known, { sign: '≤', bound: 5 }),
    figure('key check, mistyped', 'µs', refused),
    figure('SHA-256 of a key', 'µs', digest),
    ratioFigure('key check : SHA-256 of the key', known, digest, 'less'),
  ];
}

function check(keyring: Keyring, texts: readonly string[], mistyped: readonly string[]): void {
  for (const [at, text] of texts.entries()) {
    if (keyring.identify(text)?.id !== idOf(at)) throw new WrongAnswerError(`key ${at} is not recognized`);
  }
  if (mistyped.some((text) => keyring.identify(text))) throw new WrongAnswerError('a mistyped key is accepted');
}

function microseconds(texts: readonly string[], work: (text: string) => number): number {
  const startedAtMs = performance.now();
  for (let asked = 0; asked < texts.length; asked++) consume(work(texts[(asked * STRIDE) % texts.length] ?? ''));
  return ((performance.now() - startedAtMs) * 1000) / texts.length;
}

function idOf(at: number): string {
  return at.toString(16).padStart(16, '0');
}

function recordOf(text: string, at: number) {
  return {
    id: idOf(at),
    name: `client ${at}`,
    owner: '',
    scopes: ['read' as const],
    expiresAt: null,
    rateLimitMax: null,
    disabled: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    rotatedAt: null,
    revokedAt: null,
    secrets: [{ sha256: hash('sha256', text, 'hex'), validUntil: null }],
    revision: at + 1,
  };
}
