import { Children, type ReactNode } from "react";
import { Link } from "@/components/ui/link";
import type { Inline } from "@/lib/contract/docs";

const LINK = "text-accent underline decoration-1 underline-offset-3 hover:decoration-2";

/** Parts that never move, keyed by their place. A fragment for each would take a quarter of a long page's data. */
export function each<Part>(
  parts: readonly Part[],
  show: (part: Part, index: number) => ReactNode,
): ReactNode {
  return Children.toArray(parts.map(show));
}

/** Text with its links, code and emphasis. */
export function InlineText({ of }: { of: readonly Inline[] }): ReactNode {
  return each(of, showPart);
}

function showPart(part: Inline): ReactNode {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return (
        <code className="rounded bg-subtle px-1 py-0.5 font-mono text-[0.86em] break-words">{part.text}</code>
      );
    case "break":
      return <br />;
    case "link":
      return (
        <Link href={part.href} className={LINK}>
          <InlineText of={part.children} />
        </Link>
      );
    case "strong":
      return (
        <strong className="font-semibold">
          <InlineText of={part.children} />
        </strong>
      );
    default:
      return (
        <em>
          <InlineText of={part.children} />
        </em>
      );
  }
}
