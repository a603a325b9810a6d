import type { AccountView } from "../../lib/console/page/view.ts";

/** The calls of one hour. */
interface HealthMark {
  readonly requests: number;
  readonly failures: number;
}

const heights = { none: 3, ok: 9, warn: 14, bad: 18 } as const;
const [markPx, slotPx] = [3.5, 5];
/** The share of failed calls from which an hour counts as bad. */
const badShare = 0.15;

/** One mark an hour. Hours with errors are higher, so that color is not the only sign. */
export function HealthStrip(
  { view: { catalog: { charts } }, marks }: {
    view: Pick<AccountView, "catalog">;
    marks: readonly HealthMark[];
  },
) {
  const errors = marks.filter(({ failures }) => failures > 0).length;
  return (
    <svg
      class="health-strip"
      width={marks.length * slotPx}
      height={heights.bad}
      role="img"
      aria-label={charts.hoursWithErrors(errors, marks.length)}
    >
      {marks.map((mark, at) => {
        const level = levelOf(mark);
        const height = heights[level];
        return (
          <rect
            key={at}
            class={`mark-${level}`}
            x={at * slotPx}
            y={heights.bad - height}
            width={markPx}
            height={height}
            rx="1"
          />
        );
      })}
    </svg>
  );
}

function levelOf({ requests, failures }: HealthMark): keyof typeof heights {
  if (requests === 0) return "none";
  if (failures === 0) return "ok";
  return failures < badShare * requests ? "warn" : "bad";
}
