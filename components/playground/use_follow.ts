import { type RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Distance kept below the followed element. */
const gapPx = 12;

/** Keeps the end of a growing element in view, unless the reader has scrolled up. */
export function useFollow<Watched>(end: RefObject<HTMLElement>, watched: Watched): void {
  const following = useRef(true);
  useEffect(() => {
    const note = () => following.current = hidden(end) <= gapPx;
    addEventListener("scroll", note, { passive: true });
    return () => removeEventListener("scroll", note);
  }, []);
  useEffect(() => {
    if (following.current && hidden(end) > 0) scrollBy(0, hidden(end));
  }, [watched]);
}

/** The distance from the end of the element to the visible area. */
function hidden({ current }: RefObject<HTMLElement>): number {
  if (!current) return 0;
  const covered = document.querySelector(".tabbar")?.getBoundingClientRect().height ?? 0;
  return current.getBoundingClientRect().bottom + gapPx + covered - innerHeight;
}
