import type { ChildProcess, Serializable } from 'node:child_process';

/** The next message of a child. Rejects if the child exits first, or has exited: waiting alone would never end. */
export function nextMessage(child: ChildProcess, name: string): Promise<unknown> {
  return awaitMessage(child, name, () => {});
}

/** Sends a child a question, and gives its answer. Rejects as {@link nextMessage} does, or if the child cannot be asked. */
export function askChild(child: ChildProcess, question: Serializable, name: string): Promise<unknown> {
  return awaitMessage(child, name, (fail) => {
    child.send(question, (cause) => {
      if (cause) fail(new Error(`${name} cannot be asked: ${cause.message}`, { cause }));
    });
  });
}

function awaitMessage(
  child: ChildProcess,
  name: string,
  begin: (fail: (error: Error) => void) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void): void => {
      child.off('message', onMessage).off('exit', onExit);
      done();
    };
    const onMessage = (message: unknown): void => settle(() => resolve(message));
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void =>
      settle(() => reject(new Error(`${name} ended with ${code ?? signal} before it answered`)));
    child.on('message', onMessage).on('exit', onExit);
    if (child.exitCode === null && child.signalCode === null) begin((error) => settle(() => reject(error)));
    else onExit(child.exitCode, child.signalCode);
  });
}
