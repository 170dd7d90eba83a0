/** Words that a part of a building's number follows (USPS Publication 28, appendix C2). */
export const UNIT_WORDS: ReadonlySet<string> = new Set(
  'APT APARTMENT BLDG BUILDING DEPT FL FLOOR HNGR LOT NO NUMBER OFC OFFICE PH PENTHOUSE RM ROOM SLIP SPC SPACE STE SUITE TRAILER TRLR UNIT'.split(
    ' ',
  ),
);

/** Parts of a building that need no number. */
export const PART_WORDS: ReadonlySet<string> = new Set(
  'BSMT BASEMENT FRNT LBBY LOBBY LOWR OFC PH PENTHOUSE REAR UPPR UPSTAIRS'.split(' '),
);
