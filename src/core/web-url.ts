/** Whether a text is an absolute http or https URL. */
export function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The text of a URL, valid or not, as it may be shown: without user name and password. */
export function withoutUser(text: string): string {
  return text.replace(/:\/\/.*@/s, '://***@');
}
