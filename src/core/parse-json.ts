/** Parses JSON text. Throws an Error that names its `origin`, such as a file, which JSON.parse cannot know. */
export function parseJson(text: string, origin: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${origin} is not JSON: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
