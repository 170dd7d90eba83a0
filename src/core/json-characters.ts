/** ASCII codes of the characters between the pieces of JSON texts that are put together as bytes. */
export const [COMMA, OPENING_BRACE, CLOSING_BRACE] = [0x2c, 0x7b, 0x7d];
