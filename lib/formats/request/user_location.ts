import type { JsonObject, UserLocation } from "../../canonical/mod.ts";
import { isEmpty, saysNothing, statesOnly, textOrNothing } from "../wire_value.ts";

/** The user's location for a hosted search; three formats use the same members. */
export function decodeUserLocation(
  { city, region, country, timezone }: JsonObject,
): { userLocation?: UserLocation } {
  const places = Object.entries({ city, region, country, timezone })
    .filter(([, place]) => textOrNothing(place) !== undefined);
  const userLocation: UserLocation = Object.fromEntries(places);
  return isEmpty(userLocation) ? {} : { userLocation };
}

/** True if the canonical location has everything that the caller's says. */
export function isWholeLocation(location: JsonObject): boolean {
  const { city, region, country, timezone } = location;
  return statesOnly(location, ["type", "city", "region", "country", "timezone"]) &&
    [city, region, country, timezone].every((place) =>
      saysNothing(place) || typeof place === "string"
    );
}
