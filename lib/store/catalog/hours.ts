/** Hours in UTC such as `22:00-06:00`: two times of day, of which the second may be the next day's. */
export const hoursPattern = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/;

/** The number of minutes in a day. */
export const dayMinutes = 24 * 60;

/** Returns true if a moment is within hours; their end is outside. */
export function isWithinHours(hours: string, atMs: number): boolean {
  const [from, to] = minutesOf(hours);
  const minute = Math.floor(atMs / 60_000) % dayMinutes;
  return from <= to ? from <= minute && minute < to : from <= minute || minute < to;
}

/** The minutes of the day at which hours begin and end. */
export function minutesOf(hours: string): readonly [from: number, to: number] {
  const [from, to] = hours.split("-").map(minuteOf);
  return [from, to];
}

function minuteOf(time: string): number {
  const [hour, minute] = time.split(":").map(Number);
  return hour * 60 + minute;
}
