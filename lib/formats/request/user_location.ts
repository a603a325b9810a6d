import type { JsonObject, UserLocation } from "../../canonical/mod.ts";
import { isEmpty, textOrNothing } from "../wire_value.ts";

/** Where the user is, as a hosted search is told; three formats name the members alike. */
export function decodeUserLocation(
  { city, region, country, timezone }: JsonObject,
): { userLocation?: UserLocation } {
  const places = Object.entries({ city, region, country, timezone })
    .filter(([, place]) => textOrNothing(place) !== undefined);
  const userLocation: UserLocation = Object.fromEntries(places);
  return isEmpty(userLocation) ? {} : { userLocation };
}
