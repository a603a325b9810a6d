import { type RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Kept free below what is followed. */
const gapPx = 12;

/**
 * Keeps the end of an element in sight while it moves down, for who had it in sight: who has
 * scrolled up to read stays there.
 */
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

/** How far the end lies below what can be seen. */
function hidden({ current }: RefObject<HTMLElement>): number {
  if (!current) return 0;
  const covered = document.querySelector(".tabbar")?.getBoundingClientRect().height ?? 0;
  return current.getBoundingClientRect().bottom + gapPx + covered - innerHeight;
}
