import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';

/** The members of a zip archive by name, read with yauzl alone, independently of the loader's reader. */
export async function unzip(path: string): Promise<Map<string, Buffer>> {
  const archive = await openPromise(path);
  const members = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    members.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  }
  return members;
}
