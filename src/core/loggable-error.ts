/**
 * An error whose message the log may show: it tells of files, records and processes of this service, and holds no piece of a
 * request (an address, a coordinate, a key) and no secret. A class extends it where that is so of every message that it is
 * ever made with.
 */
export abstract class LoggableError extends Error {}
