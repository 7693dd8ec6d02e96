/** @jsxImportSource hono/jsx */

/** Between two marks stands a name from outside. */
const NAME = /\u2068([^\u2068\u2069]*)\u2069/;

/** A text in which every name keeps its own direction. */
export function Text({ of }: { of: string }) {
  // Every second piece is a name.
  const pieces = of
    .split(NAME)
    .map((piece, index) => (index % 2 === 1 ? <bdi key={piece}>{piece}</bdi> : piece));
  return <>{pieces}</>;
}
