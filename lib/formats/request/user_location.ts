import type { JsonObject, UserLocation } from "../../canonical/mod.ts";
import { isEmpty, textOrNothing } from "../wire_value.ts";

/** The user's location for a hosted search; three formats use the same members. */
export function decodeUserLocation(
  { city, region, country, timezone }: JsonObject,
): { userLocation?: UserLocation } {
  const places = Object.entries({ city, region, country, timezone })
    .filter(([, place]) => textOrNothing(place) !== undefined);
  const userLocation: UserLocation = Object.fromEntries(places);
  return isEmpty(userLocation) ? {} : { userLocation };
}
