const CALLER_NAME = /^[\x20-\x7e]{1,64}$/;

/** Whether the audit log takes it for the name of a caller. No header carries other characters through every client. */
export const isCallerName = (name: string): boolean => CALLER_NAME.test(name);
