export { choosePlaces, leaveAll, openPlaces, type PlaceAt, type Places } from './open-places.js';
export { officialPlaceProduct, type PlaceFile, recognizePlaceFile } from './recognize.js';
