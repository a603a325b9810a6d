import { useEffect } from "preact/hooks";

const yearSeconds = 365 * 24 * 60 * 60;

/** Stores the browser's time zone in a cookie for the server. */
export default function TimeZone() {
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    document.cookie = `tessera_zone=${
      encodeURIComponent(zone)
    }; path=/; max-age=${yearSeconds}; samesite=lax`;
  }, []);
  return null;
}
