/** Most entries of the audit log that are read at once. */
export const AUDIT_PAGE = 1000;
/** Most earlier generations that a prune can be told to keep. */
export const KEPT_GENERATIONS = 1000;
/** Longest time that a rotated key's old text can stay valid beside the new one. */
export const OVERLAP_SECONDS = 90 * 86_400;
