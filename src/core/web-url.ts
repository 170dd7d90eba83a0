/** Whether a text is an absolute http or https URL. */
export function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The text of a URL, valid or not, as it may be shown: without user name and password, also where it lacks its beginning. */
export function withoutUser(text: string): string {
  return text.replace(/^([a-z][a-z\d+.-]*:\/\/|https?:\/?)?.*@/is, '$1***@');
}
