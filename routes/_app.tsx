import { Document } from "../components/layout/Document.tsx";
import { define } from "../lib/console/session/state.ts";

export default define.page(({ Component, state: { locale, theme, settings } }) => (
  <Document locale={locale} theme={theme} title={settings.siteName}>
    <body>
      <Component />
    </body>
  </Document>
));
