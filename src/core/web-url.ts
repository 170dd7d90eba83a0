/** Whether a text is an absolute http or https URL. */
export function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A URL's host, to be compared with others: without an IPv6 address's brackets, and without a trailing dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/**
 * The text of a URL, valid or not, as it may be shown: without user name and password, and without query and fragment, where
 * people put keys. Also if it lacks slashes or its scheme, as `https:/user:password@host` and `user:password@host` do.
 */
export function withoutSecrets(text: string): string {
  const at = text.lastIndexOf('@');
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:[/\\]+/i.exec(text) ?? [];
  // An unencoded password with a question mark, or a key with an @: what follows may belong to either.
  const tail = /[?#]/.test(text.slice(0, Math.max(at, 0))) ? '' : text.slice(at);
  const shown = at < 0 ? text : `${scheme}***${tail}`;
  const end = shown.search(/[?#]/);
  // Other texts, such as a number with a remark behind it, are shown.
  return end >= 0 && /[/\\@:.]/.test(shown.slice(0, end)) ? `${shown.slice(0, end)}?***` : shown;
}
