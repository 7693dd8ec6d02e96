/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { OperationLine } from "@/lib/contract/docs";
import { darkStyle, referenceStyle } from "./style";

interface Props {
  operations: readonly OperationLine[];
  nonce: string;
  /** The theme that the reader chose instead of the system's. */
  theme: "light" | "dark" | undefined;
}

/** The API reference as a plain list of calls, which the viewer replaces when scripts run. */
function Page({ operations, nonce, theme }: Props) {
  return (
    <html lang="en" data-theme={theme}>
      {/* biome-ignore lint/style/noHeadElement: a page of its own, outside the framework */}
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>API reference · Metacode</title>
        <meta
          name="description"
          content="Every endpoint of Metacode with its fields, responses and errors."
        />
        <link rel="icon" href="/icon.svg" />
        <style nonce={nonce}>{raw(referenceStyle + darkStyle)}</style>
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
        Send the API key of the app in the header <code>x-api-key</code> and JSON in the body. All fields are
        in <a href="/openapi.json">openapi.json</a>, all errors in <a href="/docs/errors">Errors</a>.
      </p>
      <noscript>
        <p class="muted">Turn on JavaScript to see the full reference.</p>
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

/** The page as HTML. All texts in it are escaped. */
export function renderReference(props: Props): string {
  return `<!doctype html>${<Page {...props} />}`;
}
