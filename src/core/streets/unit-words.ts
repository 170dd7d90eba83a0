/** Words that precede the number of a part of a building (USPS Publication 28, appendix C2). */
export const UNIT_WORDS: ReadonlySet<string> = new Set(
  'APT APARTMENT BLDG BUILDING DEPT FL FLOOR HNGR LOT NO NUMBER OFC OFFICE PH PENTHOUSE RM ROOM SLIP SPC SPACE STE SUITE TRAILER TRLR UNIT'.split(
    ' ',
  ),
);

/**
 * More such words, which also occur in street names (`Bay`, `Key`, `Pier`) or are not the Postal Service's (`Ward`,
 * `PMB`): they denote a part of a building only before digits, and not at the start of a street.
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
