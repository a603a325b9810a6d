import { Badge } from "../islands/Counter.tsx";

export default function LiveFunction() {
  return <Badge text="x" {...{ act: () => 1 }} />;
}
