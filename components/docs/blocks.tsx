import type { ReactNode } from "react";
import { Code } from "@/components/ui/code";
import type { Block, Heading, Inline, QuoteTone } from "@/lib/contract/docs";
import { InlineText } from "./inline-text";
import { Samples } from "./samples";

/** The content of a page. */
export function Blocks({ of }: { of: readonly Block[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks do not move
  return of.map((block, index) => <BlockView key={index} block={block} />);
}

function BlockView({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case "heading":
      return <Title {...block} />;
    case "paragraph":
      return (
        <p>
          <InlineText of={block.children} />
        </p>
      );
    case "code":
      return <Code {...block} lines={block.lines ?? [[{ text: block.text, look: undefined }]]} />;
    case "samples":
      return <Samples samples={block.samples} />;
    case "list":
      return <List {...block} />;
    case "table":
      return <Grid {...block} />;
    case "quote":
      return <Quote tone={block.tone}>{block.children}</Quote>;
    default:
      return <hr className="border-line" />;
  }
}

function Title({ depth, id, children }: Heading & { children: Inline[] }) {
  const Tag = depth === 2 ? "h2" : depth === 3 ? "h3" : "h4";
  const size = depth === 2 ? "mt-7 text-xl" : "mt-3 text-base";
  return (
    <Tag
      id={id}
      className={`group scroll-mt-20 in-data-tabs:scroll-mt-32 font-semibold tracking-tight text-balance ${size}`}
    >
      <InlineText of={children} />
      <a
        href={`#${id}`}
        aria-label="Link to this section"
        className="ml-2 inline-block px-1 font-normal text-muted no-underline opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
      >
        #
      </a>
    </Tag>
  );
}

function List({ ordered, start, items }: { ordered: boolean; start: number; items: Block[][] }) {
  const rows = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items do not move
    <li key={index} className="space-y-2 pl-1 marker:text-muted">
      <Blocks of={item} />
    </li>
  ));
  const look = "space-y-1.5 pl-5.5";
  return ordered ? (
    <ol start={start} className={`list-decimal ${look}`}>
      {rows}
    </ol>
  ) : (
    <ul className={`list-disc ${look}`}>{rows}</ul>
  );
}

function Grid({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <div tabIndex={0} className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full text-left text-sm">
        <thead className="bg-subtle">
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells do not move
              <Cell key={index} as={cell.length > 0 ? "th" : "td"} of={cell} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows do not move
            <tr key={index} className="border-t border-line">
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells do not move
                <Cell key={at} as="td" of={cell} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ as: Tag, of }: { as: "th" | "td"; of: Inline[] }) {
  return (
    <Tag className="min-w-24 max-sm:first:min-w-32 last:min-w-52 px-3.5 py-2.5 align-top font-[inherit]">
      <InlineText of={of} />
    </Tag>
  );
}

const TONES: Record<QuoteTone, string> = {
  note: "border-transparent bg-accent-soft",
  warn: "border-transparent bg-warn-soft",
};

function Quote({ tone, children }: { tone: QuoteTone | undefined; children: Block[] }) {
  const look = tone ? `rounded-lg px-4 py-3 ${TONES[tone]}` : "border-l-2 border-line-strong pl-4 text-muted";
  return (
    <aside className={`space-y-2 ${look}`}>
      <Blocks of={children} />
    </aside>
  );
}
