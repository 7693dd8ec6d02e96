/** A sentence in which names stand between back quotes, as in the documentation. */
export function Worded({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // The parts of one sentence never change places.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <code key={index} className="font-mono text-[13px] break-words">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
