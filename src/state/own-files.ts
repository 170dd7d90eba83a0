/** Opens the admin plane; made where the configuration names no token. */
export const TOKEN_FILE = 'admin-token';

/** Seals the webhook subscribers' secrets; whoever has the state directory without this file has no secret. */
export const WEBHOOK_KEY_FILE = 'webhook-secret.key';

/** What a state directory keeps beside its records, and a backup with them. Anything else there is not the state's. */
export const KEPT_FILES: readonly string[] = [TOKEN_FILE, WEBHOOK_KEY_FILE];
