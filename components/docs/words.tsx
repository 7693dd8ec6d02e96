import Link from "next/link";
import type { ReactNode } from "react";
import type { Inline } from "@/lib/contract/docs";

const LINK = "text-accent underline decoration-1 underline-offset-3 hover:decoration-2";

/** A run of text. */
export function Words({ of }: { of: readonly Inline[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: text does not move
  return of.map((one, index) => <Word key={index} one={one} />);
}

function Word({ one }: { one: Inline }): ReactNode {
  switch (one.kind) {
    case "text":
      return one.text;
    case "code":
      return (
        <code className="rounded bg-subtle px-1 py-0.5 font-mono text-[0.86em] break-words">{one.text}</code>
      );
    case "break":
      return <br />;
    case "link":
      return (
        <Link href={one.href} prefetch={false} className={LINK}>
          <Words of={one.children} />
        </Link>
      );
    case "strong":
      return (
        <strong className="font-semibold">
          <Words of={one.children} />
        </strong>
      );
    default:
      return (
        <em>
          <Words of={one.children} />
        </em>
      );
  }
}
