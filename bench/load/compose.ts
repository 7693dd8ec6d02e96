import type { Template } from "@/bench/load/job";

type Fill = (n: number) => string;

/** Turns a text with `{n}` and `{slug}` into a function that joins its pieces. */
function filler(text: string, slugs: string[]): Fill {
  const pieces = text.split(/(\{n\}|\{slug\})/);
  return (n) => {
    let filled = "";
    for (const piece of pieces) {
      if (piece === "{n}") filled += n;
      else filled += piece === "{slug}" ? slugs[n % slugs.length] : piece;
    }
    return filled;
  };
}

/** Returns a function for the text of the n-th request, which is ASCII only. */
export function composer(template: Template, port: number, slugs: string[]): Fill {
  const { method, path, headers = {}, body } = template;
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = filler(`${method} ${path} HTTP/1.1\r\n${lines.join("")}`, slugs);
  if (body === undefined) return (n) => `${head(n)}\r\n`;
  const fill = filler(body, slugs);
  return (n) => {
    const text = fill(n);
    return `${head(n)}Content-Length: ${text.length}\r\n\r\n${text}`;
  };
}
