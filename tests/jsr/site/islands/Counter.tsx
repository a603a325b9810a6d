interface CounterProps {
  start: number;
  names: readonly string[];
}

export default function Counter({ start, names }: CounterProps) {
  return (
    <button type="button">
      {start} of {names.length} <Badge text="in" />
    </button>
  );
}

export function Badge({ text }: { text: string }) {
  return <i>{text}</i>;
}
