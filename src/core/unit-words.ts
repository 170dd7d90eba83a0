/** Words that a part of a building's number follows (USPS Publication 28, appendix C2). */
export const UNIT_WORDS: ReadonlySet<string> = new Set(
  'APT APARTMENT BLDG BUILDING DEPT FL FLOOR HNGR LOT NO NUMBER OFC OFFICE PH PENTHOUSE RM ROOM SLIP SPC SPACE STE SUITE TRAILER TRLR UNIT'.split(
    ' ',
  ),
);

/**
 * More of them, which are words of streets' names, too (`Bay`, `Key`, `Pier`), or not the Postal Service's (`Ward`,
 * `PMB`): a part of a building only with figures behind them, and not as a street's first words.
 */
export const DOUBTFUL_UNIT_WORDS: ReadonlySet<string> = new Set(
  'BAY BED BERTH CABIN CELL CONDO DOCK FLAT FLR GATE KEY LEVEL LVL PAD PIER PMB POD SIDE SITE SLOT STALL STOP TOWER VILLA WARD WING'.split(
    ' ',
  ),
);

/** Parts of a building that need no number. */
export const PART_WORDS: ReadonlySet<string> = new Set(
  'BSMT BASEMENT FRNT LBBY LOBBY LOWR OFC PH PENTHOUSE REAR UPPR UPSTAIRS'.split(' '),
);
