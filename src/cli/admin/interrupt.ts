/**
 * Waits for an answer of the service. Ctrl-C ends the command as ever, and first says that this does not end what the
 * service was asked to do, if that was a change: then `answer` has called what it is given.
 */
export async function tellingOfInterrupt<T>(answer: (onChange: () => void) => Promise<T>): Promise<T> {
  let mayBeDone = false;
  const tell = (): void => {
    if (mayBeDone)
      console.error('Interrupted. The service may carry out the command anyway; check before you repeat it.');
    // Its only listener is gone, so the signal has its usual effect now.
    process.kill(process.pid, 'SIGINT');
  };
  process.once('SIGINT', tell);
  try {
    return await answer(() => {
      mayBeDone = true;
    });
  } finally {
    process.off('SIGINT', tell);
  }
}
