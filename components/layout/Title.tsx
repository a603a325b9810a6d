import { Head } from "fresh/runtime";

/** What the browser's tab says. */
export function Title({ site, children }: { site: string; children: string }) {
  return (
    <Head>
      <title>{`${children} · ${site}`}</title>
    </Head>
  );
}
