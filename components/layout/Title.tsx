import { Head } from "fresh/runtime";

/** The title of the browser tab. */
export function Title({ site, children }: { site: string; children: string }) {
  return (
    <Head>
      <title>{`${children} · ${site}`}</title>
    </Head>
  );
}
