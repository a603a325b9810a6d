import { Part } from "./(_components)/part.tsx";

export default function Home() {
  return <Part>home</Part>;
}
