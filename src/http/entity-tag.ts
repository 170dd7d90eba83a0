/** Weak, since the same tag names a body in any encoding. The digest is hexadecimal. */
export function entityTag(digest: string): string {
  return `W/"${digest}"`;
}

/** What an `If-None-Match` says of a tag: it names the very one, any representation at all, or neither. */
export type TagMatch = 'named' | 'any' | 'none';

/** Compares weakly, as RFC 9110 (13.1.2) asks for. */
export function matchTag(header: string | undefined, tag: string): TagMatch {
  if (header === undefined) return 'none';
  if (header.trim() === '*') return 'any';
  // Tags of this service hold no commas; what is split inside a foreign one matches nothing.
  return header.split(',').some((listed) => opaque(listed.trim()) === opaque(tag)) ? 'named' : 'none';
}

/** A tag without its weakness. */
function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
