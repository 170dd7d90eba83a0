/**
 * Waits for an answer of the service. Ctrl-C ends the command as ever, and first says that this does not end what the
 * service was asked to do.
 */
export async function tellingOfInterrupt<T>(answer: () => Promise<T>): Promise<T> {
  const tell = (): void => {
    console.error('Interrupted. The service may carry out the command anyway; check before you repeat it.');
    // Its only listener is gone, so the signal has its usual effect now.
    process.kill(process.pid, 'SIGINT');
  };
  process.once('SIGINT', tell);
  try {
    return await answer();
  } finally {
    process.off('SIGINT', tell);
  }
}
