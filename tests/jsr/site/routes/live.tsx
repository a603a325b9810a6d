import { signal } from "@preact/signals";
import Counter, { Badge } from "../islands/Counter.tsx";

const shared = signal(3);

export default function Live() {
  return (
    <main>
      <Counter start={shared} since={new Date(0)} total={5n} names={new Map([["</script>", 1]])} />
      <Counter start={shared} since={new Date(0)} total={5n} names={new Map()} />
      <Badge text="<b>" />
    </main>
  );
}
