import { expect, test } from 'vitest';
import { createLender, type Lender, type Loan } from '../../../src/pool/lender.js';
import type { Task } from '../../../src/pool/protocol.js';

const SMALL: Task = { kind: 'rankings', row: 1 };
const LARGE: Task = {
  kind: 'providers-in-box',
  query: { west: -78, south: 38, east: -76, north: 40, type: 'all', limit: 2000 },
};

const lend = (lender: Lender): Loan => {
  const loan = lender.lend([SMALL, LARGE]);
  if (!loan) throw new Error('nothing was lent');
  return loan;
};

/** An answer too large to be copied; gives its release. */
const held = (loan: Loan): (() => void) => {
  const { release } = loan.body(0, 100_000);
  if (!release) throw new Error('the answer was copied');
  return release;
};

/** Takes all that there is. */
const drain = (lender: Lender): Loan[] => {
  const loans: Loan[] = [];
  for (let loan = lender.lend([LARGE]); loan; loan = lender.lend([LARGE])) loans.push(loan);
  return loans;
};

test('memory is lent for large answers only', () => {
  expect(createLender().lend([SMALL, SMALL])).toBeUndefined();
});

test('memory is lent again once the batch and every answer in it have released it, in any order', () => {
  const lender = createLender();
  const loan = lend(lender);
  const [first, second] = [held(loan), held(loan)];
  first();
  loan.release();
  expect(lend(lender).memory).not.toBe(loan.memory);
  second();
  expect(lend(lender).memory).toBe(loan.memory);
});

test('releasing one answer twice does not release another', () => {
  const lender = createLender();
  const loan = lend(lender);
  const [first, second] = [held(loan), held(loan)];
  loan.release();
  first();
  first();
  expect(lend(lender).memory).not.toBe(loan.memory);
  second();
  expect(lend(lender).memory).toBe(loan.memory);
});

test('a small answer is copied, so that it does not hold the loan', () => {
  const lender = createLender();
  const loan = lend(lender);
  Buffer.from(loan.memory).write('before it is lent again', 100);
  const { body, release } = loan.body(100, 106);
  loan.release();
  expect(release).toBeUndefined();
  expect(lend(lender).memory).toBe(loan.memory);
  Buffer.from(loan.memory).fill(0);
  expect(String(body)).toBe('before');
});

test('at most 24 MiB are lent at a time, and no block twice until it is released', () => {
  const lender = createLender();
  const loans = drain(lender);
  expect(new Set(loans.map(({ memory }) => memory)).size).toBe(loans.length);
  expect(loans.reduce((sum, { memory }) => sum + memory.byteLength, 0)).toBe(24 * 2 ** 20);
  loans[3]?.release();
  expect(drain(lender).map(({ memory }) => memory)).toEqual([loans[3]?.memory]);
});

test('lost memory is never lent again, and new memory replaces it', () => {
  const lender = createLender();
  const loans = drain(lender);
  for (const loan of loans) loan.lose();
  const others = drain(lender);
  expect(others).toHaveLength(loans.length);
  expect(new Set([...loans, ...others].map(({ memory }) => memory)).size).toBe(2 * loans.length);
});
