/** A day of a time zone. */
interface Day {
  /** Such as `2026-11-21`. */
  readonly text: string;
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
}

/** Parses a day such as `2026-11-21`; undefined if the text is not one. */
export function readDay(text: string | null | undefined, timeZone: string): Day | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    const day = Temporal.PlainDate.from(text);
    const startOf = (one: Temporal.PlainDate) => one.toZonedDateTime(timeZone).epochMilliseconds;
    return { text, startMs: startOf(day), endMs: startOf(day.add({ days: 1 })) };
  } catch {
    return undefined;
  }
}
