/** The details of errors (SPEC 7) that several parts of the service send, or that the reference shows, too. */
export const DETAILS = {
  invalidTarget: 'The URL is neither a path nor an http or https URL.',
  malformedUrl: 'The URL holds malformed percent-encoding.',
  unencodedUrl: 'The URL holds a space or another character that must be percent-encoded.',
  missingKey: 'Missing API key. Send it in the X-API-Key header.',
  invalidKey: 'Invalid API key.',
  noTractThere: 'No census tract found for this location',
  methodNotAllowed: 'Method Not Allowed',
  requestTimeout: 'Request Timeout',
  payloadTooLarge: 'Payload Too Large',
  headersTooLarge: 'The URL and the headers are too long.',
  rateLimited: 'Rate limit exceeded.',
  internal: 'Internal server error.',
  geocoderUnavailable: 'Geocoder unavailable.',
  noDataset: 'No dataset is loaded yet.',
  unreadableDataset: 'The dataset cannot be read just now.',
  busy: 'The service is busy. Try again shortly.',
  notStored: 'The change could not be stored. Try again later.',
} as const;

export const lacksScope = (scope: string): string => `Key lacks scope ${scope}.`;
export const tractNotFound = (geoid: string): string => `Tract ${geoid} not found.`;
export const exceedsBytes = (maxBytes: number): string => `The request body exceeds ${maxBytes} bytes.`;
/** With the parser's reason where there is one: it names the part of the request that is wrong, and quotes nothing of it. */
export const isNotHttp = (reason?: string): string => `The request is not valid HTTP${reason ? `: ${reason}` : ''}.`;
