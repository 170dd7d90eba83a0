/** Holds the token of the admin plane; created if none is configured. */
export const TOKEN_FILE = 'admin-token';

/** Holds the key that encrypts webhook subscribers' secrets: without this file, a state directory reveals no secret. */
export const WEBHOOK_KEY_FILE = 'webhook-secret.key';

/** The files that belong to the state, and to its backups, beside its records. Other files in the directory do not. */
export const KEPT_FILES: readonly string[] = [TOKEN_FILE, WEBHOOK_KEY_FILE];
