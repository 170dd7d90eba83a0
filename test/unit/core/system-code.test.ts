import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { messageOf } from '../../../src/core/message-of.js';
import { systemCode } from '../../../src/core/system-code.js';

const { EDQUOT, ESTALE } = constants.errno;

/** An error for which Node has no name, as its functions throw it in C++ or in JavaScript. */
function unnamed(errno: number, where: 'C++' | 'JavaScript'): Error {
  const code = where === 'C++' ? 'UNKNOWN' : `Unknown system error -${errno}`;
  const message = where === 'C++' ? 'UNKNOWN: unknown error, write' : `${code}: ${code}, open '/state/file'`;
  return Object.assign(new Error(message), { errno: -errno, code });
}

test('the code of an error is the one that Node gives it, if that is a text', () => {
  const withCode = (code: unknown): Error => Object.assign(new Error('why'), { code, errno: -2 });
  expect(systemCode(withCode('ENOENT'))).toBe('ENOENT');
  expect(systemCode(withCode('ERR_INVALID_ARG_TYPE'))).toBe('ERR_INVALID_ARG_TYPE');
  for (const other of [withCode(28), new Error('ENOENT'), { code: 'ENOENT' }, undefined])
    expect(systemCode(other)).toBeUndefined();
});

test('an error that Node has no name for, such as a used-up quota, has the name of the system', () => {
  for (const where of ['C++', 'JavaScript'] as const) {
    expect(systemCode(unnamed(EDQUOT, where))).toBe('EDQUOT');
    expect(systemCode(unnamed(ESTALE, where))).toBe('ESTALE');
  }
  expect(systemCode(unnamed(9999, 'C++'))).toBe('UNKNOWN');
  expect(systemCode(unnamed(9999, 'JavaScript'))).toBe('Unknown system error -9999');
});

test('its message has that name, too', () => {
  expect(messageOf(unnamed(EDQUOT, 'C++'))).toBe('EDQUOT, write');
  expect(messageOf(unnamed(EDQUOT, 'JavaScript'))).toBe("EDQUOT, open '/state/file'");
  expect(messageOf(unnamed(9999, 'C++'))).toBe('UNKNOWN: unknown error, write');
  expect(messageOf(Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' }))).toBe('ENOENT: no such file');
  expect(messageOf('why')).toBe('why');
});
