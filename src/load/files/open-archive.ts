import { type Entry, getFileNameLowLevel, type Options, openPromise, validateFileName, type ZipFile } from 'yauzl';

/** Opens a zip archive. The names of its members are not decoded: {@link memberName} gives them. */
export function openArchive(path: string, options: Pick<Options, 'autoClose'> = {}): Promise<ZipFile> {
  return openPromise(path, { ...options, decodeStrings: false });
}

/**
 * A member's path in the archive, as other programs unpack it: without the slashes at its beginning. Throws on one that
 * leads out of the archive.
 */
export function memberName({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false).replace(/^\/+/, '');
  const fault = validateFileName(name);
  if (fault !== null) throw new Error(fault);
  return name;
}
