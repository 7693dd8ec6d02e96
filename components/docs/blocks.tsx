import type { ReactNode } from "react";
import { Code } from "@/components/ui/code";
import type { Block, Heading, Inline, QuoteTone } from "@/lib/contract/docs";
import { each, InlineText } from "./inline-text";
import { Samples } from "./samples";

/** The content of a page. */
export function Blocks({ of }: { of: readonly Block[] }): ReactNode {
  return each(of, (block) => <BlockView block={block} />);
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
  const Tag = ordered ? "ol" : "ul";
  return (
    <Tag
      {...(ordered && { start })}
      className={`space-y-1.5 pl-5.5 ${ordered ? "list-decimal" : "list-disc"}`}
    >
      {each(items, (item) => (
        <li className="space-y-2 pl-1 marker:text-muted">
          <Blocks of={item} />
        </li>
      ))}
    </Tag>
  );
}

/** The look of all cells, set once on the table. On a phone, each row is a stack of its cells. */
const CELLS =
  "[&_:is(td,th)]:min-w-24 [&_:is(td,th)]:px-3.5 [&_:is(td,th)]:py-2.5 [&_:is(td,th)]:align-top [&_th]:font-[inherit] [&_tr>:last-child]:min-w-52 max-sm:[&_tr>:first-child]:min-w-32";
const STACKED =
  "max-sm:[&_thead]:sr-only max-sm:[&_tbody_tr]:grid max-sm:[&_tbody_tr]:gap-1 max-sm:[&_tbody_tr]:px-3.5 max-sm:[&_tbody_tr]:py-3 max-sm:[&_tbody_tr]:first:border-t-0 max-sm:[&_td]:min-w-0 max-sm:[&_td]:p-0 max-sm:[&_td]:wrap-anywhere";

function Grid({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  // A wider table has figures to compare, so it is not stacked.
  const stacked = head.length <= 4;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <div tabIndex={0} className="relative overflow-x-auto rounded-lg border border-line">
      <table className={`w-full text-left text-sm ${CELLS} ${stacked ? STACKED : ""}`}>
        <thead className="bg-subtle">
          <tr>
            {each(head, (cell) => (
              <Cell as={cell.length > 0 ? "th" : "td"} of={cell} />
            ))}
          </tr>
        </thead>
        <tbody>
          {each(rows, (row) => (
            <tr className="border-t border-line">
              {each(row, (cell, at) => (
                <Cell as="td" of={cell} label={stacked && at > 0 ? head[at] : undefined} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A cell. In a stack, the `label` of its column comes before the content. */
function Cell({ as: Tag, of, label }: { as: "th" | "td"; of: Inline[]; label?: Inline[] | undefined }) {
  return (
    <Tag>
      {label && of.length > 0 && (
        <span className="text-muted sm:hidden">
          <InlineText of={label} />:{" "}
        </span>
      )}
      <InlineText of={of} />
    </Tag>
  );
}

function Quote({ tone, children }: { tone: QuoteTone | undefined; children: Block[] }) {
  const look = tone
    ? `rounded-lg px-4 py-3 ${tone === "warn" ? "bg-warn-soft" : "bg-accent-soft"}`
    : "border-l-2 border-line-strong pl-4 text-muted";
  return (
    <aside className={`space-y-2 ${look}`}>
      <Blocks of={children} />
    </aside>
  );
}
