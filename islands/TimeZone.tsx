import { useEffect } from "preact/hooks";

const yearSeconds = 365 * 24 * 60 * 60;

/** Tells the server, by a cookie, in which time zone its reader lives. */
export default function TimeZone() {
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    document.cookie = `tessera_zone=${
      encodeURIComponent(zone)
    }; path=/; max-age=${yearSeconds}; samesite=lax`;
  }, []);
  return null;
}
