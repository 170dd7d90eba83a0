import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askChild, nextMessage } from '../../../bench/lib/next-message.js';

function childThat(script: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

describe('a message from a child process', () => {
  it('is the answer to the question that the child was sent', async () => {
    const child = childThat("process.on('message', (asked) => process.send({ asked }))");
    expect(await askChild(child, 'one', 'it')).toEqual({ asked: 'one' });
    expect(await askChild(child, 'two', 'it')).toEqual({ asked: 'two' });
    expect(child.listenerCount('message') + child.listenerCount('exit')).toBe(0);
  });

  it('is not awaited after the child has ended without one', async () => {
    await expect(nextMessage(childThat('process.exit(3)'), 'the server')).rejects.toThrow('the server ended with 3');
    const dying = childThat("process.on('message', () => process.kill(process.pid, 'SIGKILL'))");
    await expect(askChild(dying, 'anything', 'the server')).rejects.toThrow('the server ended with SIGKILL');
  });

  it('is not awaited from a child that has ended before, or has disconnected', async () => {
    const child = childThat('');
    await once(child, 'exit');
    await expect(askChild(child, 'anything', 'the server')).rejects.toThrow('the server ended with 0');
    const deaf = childThat('process.disconnect(); setInterval(() => {}, 1000)');
    await once(deaf, 'disconnect');
    await expect(askChild(deaf, 'anything', 'the server')).rejects.toThrow('the server cannot be asked');
  });
});
