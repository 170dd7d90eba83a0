export const MEBIBYTE = 2 ** 20;
