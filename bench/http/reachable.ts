/** Why nothing answers at a URL; undefined where something does, whatever it says. */
export async function findUnreachable(url: string): Promise<string | undefined> {
  if (!URL.canParse(url)) return `--url is ${JSON.stringify(url)}; accepted: a URL such as http://127.0.0.1:8000`;
  try {
    await (await fetch(new URL('health', `${url.replace(/\/+$/, '')}/`))).body?.cancel();
    return undefined;
  } catch (error) {
    return `nothing answers at ${url} (${rootCause(error)})`;
  }
}

/** `fetch failed` says nothing. */
function rootCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return rootCause(error.cause);
  // Where a name has several addresses, and none answers, there is a code alone.
  return error.message || ('code' in error ? String(error.code) : error.name);
}
