import { Fragment } from "react";

/** A sentence whose parts between backticks are set as code. */
export function CodeText({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one fixed sentence
      <code key={index} className="font-mono text-[0.92em]">
        {part}
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one fixed sentence
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
