/** With fewer providers, the boxes that hold as many of them as a map can show would reach beyond the poles. */
export const LEAST_PROVIDERS = 10_000;
