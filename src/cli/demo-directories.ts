/**
 * The only one that synthetic data are made in by themselves: they must not appear where someone expects measured
 * values.
 */
export const DEMO_DATASETS_DIR = 'datasets/demo';

/** The demo's keys and subscribers are nobody else's: those of a service on measured values must hear of none made up. */
export const DEMO_STATE_DIR = 'state-demo';
