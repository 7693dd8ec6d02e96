/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { OperationLine } from "@/lib/contract/reference";
import { darkStyle, style } from "./style";

interface Props {
  operations: readonly OperationLine[];
  nonce: string;
  /** What the reader chose against the system's own. */
  theme: "light" | "dark" | undefined;
}

/** The API reference: every call in a line, in whose place the viewer comes where scripts run. */
function Page({ operations, nonce, theme }: Props) {
  return (
    <html lang="en" data-theme={theme}>
      {/* biome-ignore lint/style/noHeadElement: a page of its own, outside the framework */}
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>API reference · Metacode</title>
        <meta name="description" content="Every endpoint of Metacode with its fields, answers and errors." />
        <link rel="icon" href="/icon.svg" />
        <style nonce={nonce}>{raw(style + darkStyle)}</style>
        <script nonce={nonce} src="/docs/api/redoc.js" defer></script>
        <script nonce={nonce} src="/docs/api/start.js" defer></script>
      </head>
      <body>
        <header>
          <a href="/">Metacode</a>
          <a href="/docs">Documentation</a>
          <a href="/openapi.json">openapi.json</a>
        </header>
        <main id="reference">
          <Lines operations={operations} />
        </main>
      </body>
    </html>
  );
}

function Lines({ operations }: Pick<Props, "operations">) {
  return (
    <div class="plain">
      <h1>API reference</h1>
      <p>
        Send the app’s key in the header <code>x-api-key</code> and JSON in the body. Every field is in{" "}
        <a href="/openapi.json">openapi.json</a>, every error in <a href="/docs/errors">Errors</a>.
      </p>
      <noscript>
        <p class="muted">With scripts switched on this page shows all of it.</p>
      </noscript>
      {operations.map(({ id, call, summary, description }) => (
        <section key={id}>
          <h2>{summary}</h2>
          <code>{call}</code>
          <p>{description}</p>
        </section>
      ))}
    </div>
  );
}

/** The page as HTML; every text in it is escaped. */
export function renderReference(props: Props): string {
  return `<!doctype html>${<Page {...props} />}`;
}
