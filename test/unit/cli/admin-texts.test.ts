import { describe, expect, test } from 'vitest';
import { formatDuration, parseDurationSeconds, parseExpiry } from '../../../src/cli/admin/duration.js';
import { formatFields, formatRows } from '../../../src/cli/admin/table.js';
import { changeOf } from '../../../src/cli/commands/system.js';
import { stateOf } from '../../../src/cli/commands/webhooks.js';
import { formatTable } from '../../../src/core/table.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');

test.each([
  ['0s', 0],
  ['45s', 45],
  ['30m', 1800],
  ['12h', 43_200],
  ['90d', 7_776_000],
  ['2w', 1_209_600],
  ['1y', 31_536_000],
])('%s is a duration', (text, seconds) => {
  expect(parseDurationSeconds('--overlap', text)).toBe(seconds);
});

test.each([
  ['never', null],
  ['90d', '2026-05-30T12:00:00.000Z'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T10:00Z', '2027-01-31T10:00:00.000Z'],
  ['2027-01-31T10:00:00Z', '2027-01-31T10:00:00.000Z'],
  ['2027-01-31T10:00:00+02:00', '2027-01-31T08:00:00.000Z'],
])('%s is an expiry', (text, expiresAt) => {
  expect(parseExpiry('--expires', text, NOW)).toBe(expiresAt);
});

test('an invalid value is reported with the accepted forms', () => {
  expect(() => parseExpiry('--expires', '31.01.2027', NOW)).toThrow(
    '--expires: 31.01.2027 is not valid; use a duration such as 90d, a date such as 2027-01-31, a time such as 2027-01-31T10:00Z, or never',
  );
});

test.each(['0d', '0s', '2026-03-01', '2026-03-01T12:00Z', '2026-03-01T13:00+02:00'])(
  'an expiry that is over already is wrong usage: %s',
  (text) => {
    expect(() => parseExpiry('--expires', text, NOW)).toThrow(
      expect.objectContaining({
        message: `--expires: ${text} is not in the future; to end a key now, use keys revoke`,
        exitCode: 2,
      }),
    );
  },
);

describe('what is neither is named with its option', () => {
  test.each([
    '',
    '90',
    'd',
    '90 d',
    '-1d',
    '1.5h',
    'soon',
    '2027-13-01',
    '2027-02-30',
    '2027-01-31 (or so)',
    '2027-01-31T10:00',
    '9999y',
  ])('%j', (text) => {
    expect(() => parseExpiry('--expires', text, NOW)).toThrow(/^--expires: /);
  });
});

test('columns are aligned, and empty cells are a dash', () => {
  expect(
    formatRows(
      ['ID', 'NAME', 'SCOPES'],
      [
        ['1', 'a long one', ['read', 'webhooks']],
        ['22', '', null],
      ],
    ),
  ).toEqual(['ID  NAME        SCOPES', '1   a long one  read, webhooks', '22  –           –']);
  expect(formatRows(['A', 'B'], [[[], 1]])).toEqual(['A  B', '–  1']);
});

test('records within a record are read without braces: indented below their names, many of one kind as a table', () => {
  const record = {
    id: 7,
    live: { generation: 'ab', since: '2026-03-01T12:00:00.123Z', sources: [] },
    counts: {},
    cache: { hits: 1, by: { kind: { zip: 2 } } },
    previous: null,
    loaded: [
      { source: 'acs', vintage: '2023' },
      { source: 'tiger', vintage: null },
      { source: 'svi', note: 'old' },
    ],
    nested: [{ name: 'a', size: { bytes: 1 } }, 5],
  };
  expect(formatFields(record)).toEqual([
    'id:        7',
    'live:',
    '  generation:  ab',
    '  since:       2026-03-01 12:00:00 UTC',
    '  sources:     –',
    'counts:    –',
    'cache:',
    '  hits:  1',
    '  by:',
    '    kind:',
    '      zip:  2',
    'previous:  –',
    'loaded:',
    '  source  vintage  note',
    '  acs     2023     –',
    '  tiger   –        –',
    '  svi     –        old',
    'nested:',
    '  name:  a',
    '  size:',
    '    bytes:  1',
    '  value:  5',
  ]);
});

test('times are shown to the second, whichever way UTC is written; what only resembles one stays', () => {
  const times = ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.999+00:00', '2026-03-01T12:00:00+02:00', '2026-03-01'];
  expect(
    formatRows(
      ['AT'],
      times.map((time) => [time]),
    ),
  ).toEqual(['AT', '2026-03-01 12:00:00 UTC', '2026-03-01 12:00:00 UTC', '2026-03-01T12:00:00+02:00', '2026-03-01']);
});

test.each([
  [0, '0 s'],
  [0.9, '0 s'],
  [59, '59 s'],
  [60, '1 min 0 s'],
  [3_725, '1 h 2 min'],
  [86_400, '1 d 0 h'],
  [10_000_000, '115 d 17 h'],
])('%d seconds are read as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

describe('what someone wrote into a name reaches the terminal as text, not as an order to it', () => {
  test.each([
    ['control sequences', '\u001b[2Jgone\r\n\u009b31mred\u0007', '\\u{1b}[2Jgone\\u{d}\\u{a}\\u{9b}31mred\\u{7}'],
    ['a change of direction', 'Acme \u202egpj.exe\u2066', 'Acme \\u{202e}gpj.exe\\u{2066}'],
    ['what cannot be seen', 'Ac\u200bme\ufeff\u{e0041}', 'Ac\\u{200b}me\\u{feff}\\u{e0041}'],
    ['line separators', 'one\u2028two\u2029', 'one\\u{2028}two\\u{2029}'],
    ['half a character', 'a\ud800b', 'a\\u{d800}b'],
    ['letters of any script', 'Zoë Łódź 东京 שלום 😀', 'Zoë Łódź 东京 שלום 😀'],
  ])('%s', (_, name, shown) => {
    expect(formatRows(['NAME'], [[name]])).toEqual(['NAME', shown]);
    expect(formatRows(['NAMES'], [[[name, 'x']]])[1]).toBe(`${shown}, x`);
    expect(formatFields({ name })).toEqual([`name:  ${shown}`]);
    expect(formatTable(['name'], [[name]])[2]).toBe(shown);
  });
});

test('the rule below a table’s header ends before a long last cell does, which may wrap', () => {
  const address = `https://www2.census.gov/${'a'.repeat(200)}`;
  const [header, rule, row] = formatTable(['file', 'from'], [['tl_2025.zip', address]]);
  expect(header).toBe('file         from');
  expect(rule).toBe('─'.repeat('tl_2025.zip  '.length + 40));
  expect(row).toBe(`tl_2025.zip  ${address}`);
});

test.each([
  ['something new', null, { name: 'Acme', limit: null }, 'name: "Acme", limit: null'],
  ['what changed', { name: 'Acme', limit: 5 }, { name: 'Acme', limit: null }, 'limit: 5 → null'],
  ['what is gone', { url: 'https://a/', active: true }, null, 'url: "https://a/" → –, active: true → –'],
  [
    'a field that is gone',
    { live: 'a', published: 'b' },
    { live: 'a', changed: false },
    'published: "b" → –, changed: false',
  ],
  ['nothing', null, null, ''],
])('the audit log shows %s', (_, before, after, shown) => {
  expect(changeOf(before, after)).toBe(shown);
});

test('how long a subscription waits after failures is written as all other times are', () => {
  const resting = { state: 'active', pausedBecause: null, restsUntil: '2026-03-01T12:00:10.038+00:00' } as const;
  expect(stateOf(resting)).toBe('active (waits until 2026-03-01 12:00:10 UTC after failures)');
});
