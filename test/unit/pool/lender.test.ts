import { expect, test } from 'vitest';
import { createArena } from '../../../src/pool/arena.js';
import { createLender, type Lender, type Loan } from '../../../src/pool/lender.js';
import { LENT, type Task } from '../../../src/pool/protocol.js';

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

test('memory is lent again when all answers are taken and each answer in it released, in any order', () => {
  const lender = createLender();
  const loan = lend(lender);
  const [first, second] = [held(loan), held(loan)];
  first();
  loan.release();
  expect(lend(lender).memory).not.toBe(loan.memory);
  second();
  expect(lend(lender).memory).toBe(loan.memory);
});

test('an answer that is released twice releases no other', () => {
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

test('a small answer is copied, and keeps no memory from being lent again', () => {
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

test('so much is lent and no more, none of it twice, until some comes back', () => {
  const lender = createLender();
  const loans = drain(lender);
  expect(new Set(loans.map(({ memory }) => memory)).size).toBe(loans.length);
  expect(loans.reduce((sum, { memory }) => sum + memory.byteLength, 0)).toBe(24 * 2 ** 20);
  loans[3]?.release();
  expect(drain(lender).map(({ memory }) => memory)).toEqual([loans[3]?.memory]);
});

test('lost memory is never lent again, and other takes its place', () => {
  const lender = createLender();
  const loans = drain(lender);
  for (const loan of loans) loan.lose();
  const others = drain(lender);
  expect(others).toHaveLength(loans.length);
  expect(new Set([...loans, ...others].map(({ memory }) => memory)).size).toBe(2 * loans.length);
});

test('an arena fills what is lent first, and takes memory of its own for what does not fit in', () => {
  const arena = createArena(100, new SharedArrayBuffer(10_000));
  const bodies = [4000, 6000, 5000].map((size) => arena.allocate(size));
  expect(bodies.map(arena.placeOf)).toEqual([
    { buffer: LENT, start: 0 },
    { buffer: LENT, start: 4000 },
    { buffer: 0, start: 0 },
  ]);
  expect(arena.finish().map(({ byteLength }) => byteLength)).toEqual([5000]);
});
