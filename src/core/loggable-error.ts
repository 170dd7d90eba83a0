/**
 * An error whose message may be logged: it is about files, records and processes of this service, and contains no part of
 * a request (an address, a coordinate, a key) and no secret. A class extends it only if that holds for every message that
 * it is ever constructed with.
 */
export abstract class LoggableError extends Error {}
