import type { Spread } from "./statistics.ts";

/** One line of a plot. */
interface Series {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

interface LinePlot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
}

const width = 720;
const height = 380;
const area = { left: 76, right: width - 20, top: 44, bottom: height - 56 };
const colors = ["#1f6feb", "#d1491f", "#2b8a3e", "#7048b6", "#8a6d00"];

/** An SVG document with lines over two logarithmic axes. */
export function linePlot({ title, xLabel, yLabel, series }: LinePlot): string {
  const all = series.flatMap(({ points }) => points);
  const xScale = logScale(all.map(({ x }) => x), area.left, area.right);
  const yScale = logScale(all.map(({ y }) => y), area.bottom, area.top);
  return svg(height, [
    text(width / 2, 22, title, "middle", 15),
    text(width / 2, height - 12, xLabel, "middle"),
    `<g transform="translate(16 ${height / 2}) rotate(-90)">${text(0, 0, yLabel, "middle")}</g>`,
    ...xScale.ticks.map((tick) => xTick(tick, xScale.at(tick))),
    ...yScale.ticks.map((tick) => yTick(tick, yScale.at(tick))),
    ...series.flatMap((line, at) => [
      drawn(line, colors[at % colors.length] ?? "", (x) => xScale.at(x), (y) => yScale.at(y)),
      text(area.left + 12, area.top + 16 + at * 18, line.name, "start", 12, colors[at]),
    ]),
  ]);
}

/** A row of a bar plot. */
interface Bar {
  readonly name: string;
  readonly value: Spread;
}

const barHeight = 26;
const barLeft = 250;

/** An SVG document with a bar per row from 0, its range, and a line at 1. */
export function barPlot(title: string, bars: readonly Bar[]): string {
  const most = Math.max(1, ...bars.map(({ value }) => value.greatest)) * 1.1;
  const at = (value: number) => barLeft + (value / most) * (width - barLeft - 70);
  const bottom = 40 + bars.length * barHeight;
  return svg(bottom + 12, [
    text(width / 2, 22, title, "middle", 15),
    ...bars.map(({ name, value }, row) => {
      const y = 40 + row * barHeight;
      const { median, least, greatest } = value;
      return text(barLeft - 8, y + 14, name, "end") +
        `<rect x="${barLeft}" y="${y}" width="${round(at(median) - barLeft)}" height="18" ` +
        `fill="${colors[0]}" fill-opacity="0.6"/>` +
        line(at(least), y + 9, at(greatest), y + 9, "#333") +
        text(at(greatest) + 6, y + 14, median.toFixed(2), "start");
    }),
    line(at(1), 36, at(1), bottom, "#d1491f"),
  ]);
}

interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

/** Whole powers of ten around the values. */
function logScale(values: readonly number[], from: number, to: number): Scale {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive))));
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at)),
    at: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
  };
}

type Position = (value: number) => number;

function drawn({ points }: Series, color: string, x: Position, y: Position): string {
  const places = points.map((point) => [round(x(point.x)), round(y(point.y))] as const);
  const path = places.map((place) => place.join(",")).join(" ");
  const dots = places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`);
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>${
    dots.join("")
  }`;
}

function xTick(value: number, x: number): string {
  return line(x, area.top, x, area.bottom, "#ddd") +
    text(x, area.bottom + 18, short(value), "middle");
}

function yTick(value: number, y: number): string {
  return line(area.left, y, area.right, y, "#ddd") +
    text(area.left - 8, y + 4, short(value), "end");
}

function line(x1: number, y1: number, x2: number, y2: number, color: string): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" ` +
    `stroke="${color}"/>`;
}

function text(
  x: number,
  y: number,
  content: string,
  anchor: "start" | "middle" | "end",
  size = 12,
  color = "#333",
): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" font-size="${size}" ` +
    `fill="${color}">${escaped}</text>`;
}

function svg(height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
    `font-family="sans-serif">\n<rect width="100%" height="100%" fill="#fff"/>\n${
      parts.join("\n")
    }\n</svg>\n`;
}

function short(value: number): string {
  return new Intl.NumberFormat("en", { notation: "compact" }).format(value);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
