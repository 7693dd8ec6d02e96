import { CopyButton } from "@/components/ui/copy-button";
import type { Look, Piece } from "@/lib/contract/docs";

const LOOKS: Record<NonNullable<Look>, string> = {
  keyword: "text-code-keyword",
  string: "text-good",
  comment: "text-muted",
  constant: "text-accent",
  function: "text-code-function",
  parameter: "text-warn",
};

const NAMES: Readonly<Record<string, string>> = {
  sh: "Shell",
  js: "JavaScript",
  ts: "TypeScript",
  tsx: "TypeScript",
  json: "JSON",
  csharp: "C#",
  http: "HTTP",
  html: "HTML",
  xml: "XML",
  sql: "SQL",
  ini: "Settings",
  text: "Text",
};

const nameOf = (language: string): string =>
  NAMES[language] ?? `${language.slice(0, 1).toUpperCase()}${language.slice(1)}`;

interface Props {
  language: string;
  text: string;
  lines: readonly Piece[][];
}

/** A highlighted block of code with a button that copies it unchanged. */
export function Code({ language, text, lines }: Props) {
  const name = nameOf(language || "text");
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border border-line bg-subtle">
      <figcaption className="flex h-9 items-center justify-between border-b border-line pr-1 pl-3.5 text-xs text-muted">
        {name}
        <CopyButton text={text} label={`Copy this ${name} block`} />
      </figcaption>
      <CodeLines lines={lines} />
    </figure>
  );
}

/** Highlighted code that scrolls sideways. */
export function CodeLines({ lines }: Pick<Props, "lines">) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <pre tabIndex={0} className="overflow-x-auto p-3.5 font-mono text-note leading-relaxed">
      <code>
        {lines.map((pieces, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move
          <Line key={index} pieces={pieces} last={index === lines.length - 1} />
        ))}
      </code>
    </pre>
  );
}

function Line({ pieces, last }: { pieces: readonly Piece[]; last: boolean }) {
  return (
    <>
      {pieces.map(({ text, look }, index) =>
        look ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces do not move
          <span key={index} className={LOOKS[look]}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
      {last ? "" : "\n"}
    </>
  );
}
