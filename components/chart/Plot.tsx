import {
  type Axis,
  barsOf,
  type ChartScale,
  type ChartSeries,
  type ChartStep,
  pathOf,
  yOf,
} from "../../lib/console/charts/chart.ts";
import type { CursorChart } from "../../lib/console/charts/cursor.ts";
import { A } from "../A.tsx";

interface PlotProps {
  /** Names the chart, and its slider: such as `Spend by day`. */
  readonly label: string;
  readonly kind: "bars" | "lines";
  readonly steps: readonly ChartStep[];
  readonly series: readonly ChartSeries[];
  readonly scale: ChartScale;
  readonly axis: Axis;
  readonly heightPx: number;
  readonly chosen: number;
  readonly cursor: CursorChart;
}

const barShare = 0.6;

/** The axes, and bars or lines over them. Lengths are percents across and pixels down. */
export function Plot(props: PlotProps) {
  const { label, steps, heightPx, chosen, cursor } = props;
  const hasLinks = steps.some(({ href }) => href);
  return (
    <div class="plot">
      <Ticks {...props} />
      <div class="plot-field">
        <svg
          class="plot-area"
          width="100%"
          height={heightPx + 1}
          role={hasLinks ? "group" : "img"}
          aria-label={label}
        >
          <Grid {...props} />
          {props.kind === "bars" ? <Bars {...props} /> : <Lines {...props} />}
          {steps.map((step, at) => <StepLink key={at} {...props} step={step} at={at} />)}
        </svg>
        <Marks {...props} />
        <div
          class="plot-slider"
          role="slider"
          tabIndex={0}
          hidden
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={steps.length - 1}
          aria-valuenow={chosen}
          aria-valuetext={cursor.spoken[chosen]}
        />
      </div>
    </div>
  );
}

const [digitPx, labelPx] = [7, 8];

/** The labels of the axis, in a column as wide as the longest. */
function Ticks({ axis, scale, heightPx }: PlotProps) {
  const labels = axis.ticks.map((amount) => ({ text: scale.tick(amount), amount }));
  const width = Math.max(...labels.map(({ text }) => text.length)) * digitPx;
  return (
    <svg class="ticks" width={width} height={heightPx + labelPx} aria-hidden="true">
      {labels.map(({ text, amount }) => (
        <text key={text} x="100%" y={yOf(amount, axis, heightPx) + 4} text-anchor="end">
          {text}
        </text>
      ))}
    </svg>
  );
}

function Grid({ steps, axis, heightPx, chosen }: PlotProps) {
  const width = 100 / steps.length;
  return (
    <>
      <rect class="band" x={`${chosen * width}%`} width={`${width}%`} height={heightPx} />
      {axis.ticks.map((amount) => {
        const y = Math.round(yOf(amount, axis, heightPx)) + 0.5;
        const style = amount === axis.bottom ? "axis" : "grid";
        return <line key={amount} class={style} x1="0" x2="100%" y1={y} y2={y} />;
      })}
    </>
  );
}

function Bars({ steps, series, axis, heightPx }: PlotProps) {
  const width = 100 / steps.length;
  return (
    <>
      {barsOf(series, axis, heightPx).map(({ step, color, y, height }) => (
        <rect
          key={`${step} ${y}`}
          class={`data-${color}`}
          x={`${round((step + (1 - barShare) / 2) * width)}%`}
          width={`${round(barShare * width)}%`}
          y={y}
          height={height}
        />
      ))}
    </>
  );
}

function Lines({ steps, series, axis, heightPx, chosen, cursor: { dots = [] } }: PlotProps) {
  return (
    <>
      <svg viewBox={`0 0 100 ${heightPx}`} height={heightPx} preserveAspectRatio="none">
        {series.map((one) => (
          <path
            key={one.name}
            class={`line data-${one.color}${one.dashed ? " dashed" : ""}`}
            d={pathOf(one, axis, heightPx)}
          />
        ))}
      </svg>
      {series.map(({ name, color, amounts }) =>
        amounts.map((amount, at) =>
          amount !== undefined && isAlone(amounts, at) && (
            <circle
              key={`${name} ${at}`}
              class={`data-${color}`}
              cx={`${round((at + 0.5) * 100 / steps.length)}%`}
              cy={yOf(amount, axis, heightPx)}
              r="2.5"
            />
          )
        )
      )}
      <g class="dots">
        {series.map(({ name, color }, at) => (
          <circle
            key={name}
            class={`data-${color}`}
            cx={`${round((chosen + 0.5) * 100 / steps.length)}%`}
            cy={dots[at][chosen] ?? 0}
            r="3.5"
            visibility={dots[at][chosen] === undefined ? "hidden" : "visible"}
          />
        ))}
      </g>
    </>
  );
}

/** A point without neighbors, which no line shows. */
function isAlone(amounts: ChartSeries["amounts"], at: number): boolean {
  return amounts[at - 1] === undefined && amounts[at + 1] === undefined;
}

/** A step's link covers its full height: small bars are hard to hit. */
function StepLink(
  { steps, heightPx, cursor: { spoken }, step: { href }, at }: PlotProps & {
    step: ChartStep;
    at: number;
  },
) {
  const width = 100 / steps.length;
  const reach = (
    <rect class="reach" x={`${round(at * width)}%`} width={`${round(width)}%`} height={heightPx}>
      <title>{spoken[at]}</title>
    </rect>
  );
  return href ? <A href={href} aria-label={spoken[at]}>{reach}</A> : reach;
}

function Marks({ steps, chosen }: PlotProps) {
  return (
    <svg class="marks" width="100%" height="18" aria-hidden="true">
      {steps.map(({ mark }, at) =>
        mark && (
          <text
            key={at}
            class={at === chosen ? "chosen" : undefined}
            data-step={at}
            x={`${round((at + 0.5) * 100 / steps.length)}%`}
            y="13"
            text-anchor="middle"
          >
            {mark}
          </text>
        )
      )}
    </svg>
  );
}

function round(percent: number): number {
  return Math.round(percent * 1_000) / 1_000;
}
