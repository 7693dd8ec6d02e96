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

/** A name of several words, such as `referral.code_assigned`, which may wrap between the words on a phone. */
export function CodeName({ name }: { name: string }) {
  return (
    <span className="font-mono text-note">
      {name.split(/(?<=[._])/).map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of one fixed name
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </span>
  );
}
