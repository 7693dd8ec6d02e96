import { CopyButton } from "./copy-button";

/** Code or output of a machine, with a copy button. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="relative rounded-lg border border-line bg-subtle">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <pre tabIndex={0} className="max-h-96 overflow-auto p-3.5 pr-12 font-mono text-note leading-relaxed">
        {text}
      </pre>
      <div className="absolute top-0 right-0 rounded-lg bg-subtle pt-1.5 pr-1.5">
        <CopyButton text={text} label={label} />
      </div>
    </div>
  );
}
