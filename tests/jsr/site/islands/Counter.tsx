import type { Signal } from "@preact/signals";

interface CounterProps {
  start: Signal<number>;
  since: Date;
  total: bigint;
  names: Map<string, number>;
}

export default function Counter({ start, since, total, names }: CounterProps) {
  return (
    <button type="button" onClick={() => start.value++}>
      {start} of {String(total)} since {since.getUTCFullYear()}, {names.size} <Badge text="in" />
    </button>
  );
}

export function Badge({ text }: { text: string }) {
  return <i>{text}</i>;
}
