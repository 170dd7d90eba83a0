/** A state's ZIP prefixes and telephone area code. */
export interface PostalState {
  /** The first and the last three-digit ZIP prefix. */
  readonly firstPrefix: number;
  readonly lastPrefix: number;
  /** One of the state's telephone area codes. */
  readonly areaCode: string;
}

/** State FIPS, first and last ZIP prefix (a range that the Postal Service assigns to this state only), area code. */
const TABLE = `
01 350 369 205|02 995 999 907|04 850 865 602|05 716 729 501|06 900 961 415|08 800 816 303|09 060 069 203|10 197 199 302
11 200 205 202|12 320 339 305|13 300 319 404|15 967 968 808|16 832 838 208|17 600 629 312|18 460 479 317|19 500 528 515
20 660 679 316|21 400 427 502|22 700 714 504|23 039 049 207|24 206 219 410|25 010 027 617|26 480 499 313|27 550 567 612
28 386 397 601|29 630 658 314|30 590 599 406|31 680 693 402|32 889 898 702|33 030 038 603|34 070 089 201|35 870 884 505
36 100 149 212|37 270 289 704|38 580 588 701|39 430 459 216|40 730 749 405|41 970 979 503|42 150 196 215|44 028 029 401
45 290 299 803|46 570 577 605|47 370 385 615|48 750 799 214|49 840 847 801|50 050 059 802|51 220 246 703|53 980 994 206
54 247 268 304|55 530 549 414|56 820 831 307`;

/** By two-digit FIPS code, the 50 states and DC. */
export const POSTAL_STATES: ReadonlyMap<string, PostalState> = new Map(
  TABLE.trim()
    .split(/[|\n]/)
    .map((entry) => {
      const [fips = '', first, last, areaCode = ''] = entry.split(' ');
      return [fips, { firstPrefix: Number(first), lastPrefix: Number(last), areaCode }] as const;
    }),
);
