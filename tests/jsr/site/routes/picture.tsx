import { Head } from "fresh/runtime";

export default function WithPicture() {
  return (
    <main>
      <Head>
        <title>Page</title>
      </Head>
      <svg>
        <title>first</title>
      </svg>
      <svg>
        <title>second</title>
      </svg>
    </main>
  );
}
