import { useState } from "preact/hooks";
import type { SpendChartData } from "../lib/console/overview/spend_chart.ts";

const gap = 0.28;

/**
 * Bars by day, stacked by model, with the same numbers as a table for one day and for the period. A
 * slider or the pointer selects the day; without a script, the last day is shown.
 */
export default function SpendChart({ chart }: { chart: SpendChartData }) {
  const [chosen, choose] = useState(chart.days.length - 1);
  const onPointer = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof SVGElement)) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor((event.clientX - left) / width * chart.days.length);
    choose(Math.min(chart.days.length - 1, Math.max(0, at)));
  };
  return (
    <div class="chart">
      <figure>
        <Ticks chart={chart} />
        <svg
          class="bars"
          role="img"
          aria-label={chart.texts.label}
          width="100%"
          height="220"
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          onClick={(event) => {
            // On touch, the first tap only selects a day; a mouse selects it by hovering.
            if (event instanceof PointerEvent && event.pointerType === "mouse") {
              location.assign(chart.days[chosen].href);
            }
          }}
        >
          <Bars chart={chart} chosen={chosen} />
        </svg>
        <Marks chart={chart} chosen={chosen} />
        <input
          class="day-slider"
          type="range"
          min={0}
          max={chart.days.length - 1}
          value={chosen}
          aria-label={chart.texts.day}
          aria-valuetext={`${chart.days[chosen].name}: ${chart.days[chosen].total}`}
          onInput={(event) => choose(Number(event.currentTarget.value))}
        />
      </figure>
      <Readout chart={chart} chosen={chosen} />
    </div>
  );
}

interface PartProps {
  readonly chart: SpendChartData;
  readonly chosen: number;
}

function Bars({ chart: { days, ticks }, chosen }: PartProps) {
  const width = 100 / days.length;
  return (
    <>
      <rect class="band" x={`${chosen * width}%`} width={`${width}%`} height="100%" />
      {ticks.map(({ at }) => (
        <line
          key={at}
          class={at === 0 ? "axis" : "grid"}
          x1="0"
          x2="100%"
          y1={`${100 - at}%`}
          y2={`${100 - at}%`}
        />
      ))}
      {days.map(({ parts }, day) =>
        parts.map(({ from, share }, part) =>
          share > 0 && (
            <rect
              key={`${day} ${part}`}
              class={`data-${part + 1}`}
              x={`${(day + gap / 2) * width}%`}
              width={`${(1 - gap) * width}%`}
              y={`${100 - from - share}%`}
              height={`${share}%`}
            />
          )
        )
      )}
    </>
  );
}

const [digitPx, leastTicksPx] = [7, 52];

function Ticks({ chart: { ticks } }: { chart: SpendChartData }) {
  const longest = Math.max(...ticks.map(({ text }) => text.length));
  const width = Math.max(leastTicksPx, longest * digitPx + 6);
  return (
    <svg class="ticks" width={width} height="220" aria-hidden="true">
      {ticks.map(({ text, at }) => (
        <text key={at} x={width - 6} y={`${100 - at}%`} dy={at === 0 ? 0 : 4} text-anchor="end">
          {text}
        </text>
      ))}
    </svg>
  );
}

function Marks({ chart: { days }, chosen }: PartProps) {
  return (
    <svg class="marks" width="100%" height="20" aria-hidden="true">
      {days.map(({ mark }, day) => (
        <text
          key={day}
          class={day === chosen ? "chosen" : undefined}
          x={`${(day + 0.5) * 100 / days.length}%`}
          y="14"
          text-anchor="middle"
        >
          {mark}
        </text>
      ))}
    </svg>
  );
}

function Readout({ chart: { days, names, sums, sum, texts }, chosen }: PartProps) {
  const day = days[chosen];
  return (
    <div class="readout">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">{texts.model}</span>
            </th>
            <th scope="col">{day.name}</th>
            <th scope="col">{texts.whole}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name, at) => (
            <tr key={name}>
              <th scope="row" translate={false}>
                <svg width="10" height="10" aria-hidden="true">
                  <rect class={`data-${at + 1}`} width="10" height="10" rx="2" />
                </svg>
                {name}
              </th>
              <td>{day.texts[at]}</td>
              <td>{sums[at]}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <td>{day.total}</td>
            <td>{sum}</td>
          </tr>
        </tfoot>
      </table>
      <a class="link" href={day.href}>{texts.calls}</a>
    </div>
  );
}
