/** Media types of answers. */
export const JSON_TYPE = 'application/json; charset=utf-8';
export const GEOJSON_TYPE = 'application/geo+json';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';
