/** Latitudes from American Samoa to the north of Alaska. */
const isUsLat = (degrees: number): boolean => degrees >= -15 && degrees <= 72;

/** Longitudes from Guam east across the antimeridian (the Aleutians lie on both sides of it) to the Virgin Islands. */
const isUsLng = (degrees: number): boolean => (degrees >= -180 && degrees <= -64) || (degrees >= 144 && degrees <= 180);

/**
 * Whether a position is in a generous bounding box of the states and territories. Swapped and projected coordinates fall
 * outside of it, as do NaN and infinities.
 */
export const couldBeInUnitedStates = (lat: number, lng: number): boolean => isUsLat(lat) && isUsLng(lng);
