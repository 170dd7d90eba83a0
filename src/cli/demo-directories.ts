/**
 * The only directory in which `start` creates synthetic data by itself: they must not appear where someone expects measured
 * values.
 */
export const DEMO_DATASETS_DIR = 'datasets/demo';

/** The demo has its own keys and subscribers: subscribers to measured values must get no events about made-up ones. */
export const DEMO_STATE_DIR = 'state-demo';
