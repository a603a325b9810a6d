import { asset, Head } from "fresh/runtime";

// Kept by the module, so that every request renders the same node.
const script = <script>1</script>;

export default function WithHead() {
  return (
    <main>
      <Head>
        <title key="tab">Page</title>
        <meta name="description" content="about a page" />
        <link key="page" rel="stylesheet" href="/page.css" />
      </Head>
      <a href="/head">here</a>
      <a href={asset("/logo.svg")}>picture</a>
      <svg>
        <title>a picture</title>
      </svg>
      {script}
    </main>
  );
}
