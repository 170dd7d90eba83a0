/** The reason why no server answers at a URL; undefined if one does, whatever its answer. */
export async function findUnreachable(url: string): Promise<string | undefined> {
  if (!URL.canParse(url)) return `--url is ${JSON.stringify(url)}; accepted: a URL such as http://127.0.0.1:8000`;
  try {
    await (await fetch(new URL('health', `${url.replace(/\/+$/, '')}/`))).body?.cancel();
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
