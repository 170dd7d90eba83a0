/** The reason why no server answers at a base URL; undefined if one does, whatever its answer. */
export async function findUnreachable(url: string): Promise<string | undefined> {
  try {
    await (await fetch(`${url}/health`)).body?.cancel();
    return undefined;
  } catch (error) {
    return `no service can be reached at ${url} (${rootCause(error)})`;
  }
}

/** The message of the innermost cause: the outer one, `fetch failed`, does not tell the reason. */
function rootCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return rootCause(error.cause);
  // If a name has several addresses and none of them answers, the error has a code but no message.
  return error.message || ('code' in error ? String(error.code) : error.name);
}
