/** The most audit log entries that one call returns. */
export const AUDIT_PAGE = 1000;
/** The most earlier generations that a prune can be told to keep. */
export const KEPT_GENERATIONS = 1000;
/** The longest time that the old text of a rotated key can stay valid beside the new one. */
export const OVERLAP_SECONDS = 90 * 86_400;
