export { choosePlaces, leaveAll, openPlaces, type PlaceAt } from './open-places.js';
export { officialPlaceProduct, type PlaceFile, recognizePlaceFile } from './recognize.js';
