import { useEffect } from "preact/hooks";
import type { CursorChart } from "../lib/console/charts/cursor.ts";

interface ChartCursorProps {
  /** The id of the element that holds the charts. */
  readonly id: string;
  /** The step without a pointer. */
  readonly chosen: number;
  readonly steps: readonly string[];
  /** Links of the steps, empty without links. */
  readonly hrefs: readonly string[];
  /** In the order of the charts in the page. They share one cursor. */
  readonly charts: readonly CursorChart[];
}

/** Reads charts of the page by pointer, touch and keyboard. The server has drawn them. */
export default function ChartCursor(props: ChartCursorProps) {
  useEffect(() => {
    const stop = new AbortController();
    const root = document.getElementById(props.id);
    if (root) follow(root, props, stop.signal);
    return () => stop.abort();
  });
  return null;
}

const keySteps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: -Infinity,
  End: Infinity,
};

function follow(root: HTMLElement, props: ChartCursorProps, signal: AbortSignal) {
  const { chosen, steps, hrefs } = props;
  let now = chosen;
  const show = (to: number) => {
    now = Math.max(0, Math.min(steps.length - 1, to));
    props.charts.forEach((chart, at) => showStep(root, { ...props, chart, at, now }));
  };
  for (const field of root.querySelectorAll<HTMLElement>(".plot-field")) {
    const listen = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      listener: (event: HTMLElementEventMap[Type]) => void,
    ) => field.addEventListener(type, listener, { signal });
    let isFirstTouch = false;
    const onPointer = (event: PointerEvent) => {
      const { left, width } = field.getBoundingClientRect();
      const to = Math.floor((event.clientX - left) / width * steps.length);
      if (event.type === "pointerdown") isFirstTouch = event.pointerType !== "mouse" && to !== now;
      if (to !== now) show(to);
    };
    listen("pointermove", onPointer);
    listen("pointerdown", onPointer);
    listen("pointerleave", ({ pointerType }) => pointerType === "mouse" && show(chosen));
    // The first tap selects a step, as a mouse does by pointing; the second one follows its link.
    listen("click", (event) => isFirstTouch && event.preventDefault());
    listen("keydown", (event) => {
      const step = keySteps[event.key];
      if (step !== undefined) show(now + step);
      else if (event.key === "Enter" && hrefs[now]) location.assign(hrefs[now]);
      else return;
      event.preventDefault();
    });
    takeOver(field);
  }
}

/** Makes the slider the only stop of the keyboard: without a script, each bar's link is one. */
function takeOver(field: HTMLElement) {
  field.querySelector("[role=slider]")?.removeAttribute("hidden");
  field.querySelector("svg")?.setAttribute("aria-hidden", "true");
  for (const link of field.querySelectorAll("a")) link.setAttribute("tabindex", "-1");
  for (const title of field.querySelectorAll("title")) title.remove();
}

function showStep(
  root: HTMLElement,
  { steps, chart, at, now }: ChartCursorProps & { chart: CursorChart; at: number; now: number },
) {
  const figure = root.querySelectorAll("figure")[at];
  if (!figure) return;
  const texts = chart.texts[now];
  if (chart.ranked) showRanks(figure, chart.ranked, { now, texts });
  else figure.querySelectorAll(".readout b").forEach((cell, at) => cell.textContent = texts[at]);
  figure.querySelectorAll(".readout .at").forEach((cell) => cell.textContent = steps[now]);
  figure.querySelector(".band")?.setAttribute("x", `${now * 100 / steps.length}%`);
  figure.querySelectorAll(".marks text").forEach((mark) =>
    mark.classList.toggle("chosen", mark.getAttribute("data-step") === String(now))
  );
  figure.querySelectorAll(".dots circle").forEach((dot, place) => {
    const y = chart.dots?.[place][now];
    dot.setAttribute("cx", `${(now + 0.5) * 100 / steps.length}%`);
    dot.setAttribute("cy", String(y ?? 0));
    dot.setAttribute("visibility", y === undefined ? "hidden" : "visible");
  });
  const slider = figure.querySelector("[role=slider]");
  slider?.setAttribute("aria-valuenow", String(now));
  slider?.setAttribute("aria-valuetext", chart.spoken[now]);
}

/** Shows the subjects of one step in their own order; each keeps its color. */
function showRanks(
  figure: Element,
  { subjects, places }: NonNullable<CursorChart["ranked"]>,
  { now, texts }: { readonly now: number; readonly texts: readonly string[] },
) {
  figure.querySelectorAll(".readout .slot").forEach((slot, at) => {
    const subject = subjects[places[now][at] ?? -1];
    slot.toggleAttribute("hidden", subject === undefined);
    if (!subject) return;
    slot.querySelector("rect")?.setAttribute("class", `data-${subject.color}`);
    for (const cell of slot.querySelectorAll("span")) cell.textContent = subject.name;
    for (const cell of slot.querySelectorAll("b")) cell.textContent = texts[at];
  });
  for (const cell of figure.querySelectorAll(".readout .sum b")) {
    cell.textContent = texts.at(-1) ?? "";
  }
}
