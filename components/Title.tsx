import { Head } from "fresh/runtime";

/** What the browser's tab says. */
export function Title({ children }: { children: string }) {
  return (
    <Head>
      <title>{`${children} · Tessera`}</title>
    </Head>
  );
}
