/**
 * The edition of the rules by which names of streets and cities are compared (`parseStreetText`, `cityKey` and the tables
 * behind them). Files of address ranges hold names as the rules of their day made them; a dataset of another edition is
 * read, but names on which the two differ are not found in it. To be raised with every change after which some name is
 * compared otherwise: the test of this file fails then.
 */
export const NAMES_EDITION = 1;
