import Counter, { Badge } from "../islands/Counter.tsx";

export default function Live() {
  return (
    <main>
      <Counter start={3} names={["</script>"]} />
      <Counter start={3} names={[]} />
      <Badge text="<b>" />
    </main>
  );
}
