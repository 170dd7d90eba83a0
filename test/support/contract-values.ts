/** A point in Washington, DC, that lies in a tract of the demo dataset. */
export const POINT = { lat: 38.9072, lng: -77.0369 } as const;
export const AT_POINT = `lat=${POINT.lat}&lng=${POINT.lng}`;
/** The tract at {@link POINT}, and an address in it. */
export const TRACT = '11001001704';
export const ADDRESS = '2581 Specimenstone St, North Modelport, DC 20128';
/** An address and a GEOID that are well formed but in no dataset. */
export const NO_ADDRESS = '1 Nowhere Way, North Modelport, DC 20128';
export const NO_TRACT = '99999999999';
