export { choosePlaces, leaveAll, openPlaces, type PlaceAt, type Places } from './open-places.js';
export { type PlaceFile, recognizePlaceFile, refuseLonePlaceTable } from './recognize.js';
