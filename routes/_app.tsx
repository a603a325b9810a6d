import { define } from "../lib/console/state.ts";
import { Document } from "../components/Document.tsx";

export default define.page(({ Component, state: { locale, theme } }) => (
  <Document locale={locale} theme={theme}>
    <body>
      <Component />
    </body>
  </Document>
));
