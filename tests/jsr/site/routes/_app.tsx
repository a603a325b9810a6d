import { define } from "../state.ts";

export default define.page(({ Component }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <title key="tab">Site</title>
      <link rel="stylesheet" href="/style.css" />
    </head>
    <body>
      <Component />
    </body>
  </html>
));
