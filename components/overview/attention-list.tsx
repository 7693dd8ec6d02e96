import { ArrowRight, CircleCheck, type LucideIcon, OctagonAlert, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Callout } from "@/components/ui/callout";
import type { Attention } from "@/lib/contract/overview";
import { advice } from "./advice";

const LOOKS: Record<"bad" | "warn", { Icon: LucideIcon; look: string; word: string }> = {
  bad: { Icon: OctagonAlert, look: "text-bad", word: "Urgent: " },
  warn: { Icon: TriangleAlert, look: "text-warn", word: "" },
};

/** What should be mended, each with the one place where that is done. */
export function AttentionList({ appId, items }: { appId: string; items: Attention[] }) {
  if (items.length === 0) {
    return (
      <p className="flex items-center gap-2 text-sm text-muted">
        <CircleCheck className="size-4 shrink-0 text-good" aria-hidden />
        Nothing to mend right now.
      </p>
    );
  }
  return (
    <ul className="-my-2 divide-y divide-line">
      {items.map((item) => {
        const { tone, title, detail, path, fix } = advice(item);
        const { Icon, look, word } = LOOKS[tone];
        return (
          <li key={`${item.kind} ${item.id} ${title}`} className="flex items-start gap-3 py-3">
            <Icon className={`mt-0.5 size-4 shrink-0 ${look}`} aria-hidden />
            <div className="grid min-w-0 flex-1 gap-0.5">
              <p className="text-sm font-medium break-words">
                <span className="sr-only">{word}</span>
                {title}
              </p>
              <p className="text-[13px] text-muted">{detail}</p>
            </div>
            <Link
              href={`/dashboard/apps/${appId}${path}`}
              className="inline-flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 text-[13px] font-medium text-accent hover:bg-subtle"
            >
              {fix}
              <ArrowRight className="size-3.5" aria-hidden />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** Said at the top of the page while something keeps people from their codes. */
export function Urgent({ items }: { items: Attention[] }) {
  const urgent = items.map(advice).filter(({ tone }) => tone === "bad");
  const [first] = urgent;
  if (!first) return null;
  return (
    <Callout tone="bad">
      <p>
        {first.title}.{" "}
        <a href="#attention" className="font-medium underline underline-offset-2">
          {urgent.length > 1 ? `See this and ${urgent.length - 1} more` : "See what to do"}
        </a>
      </p>
    </Callout>
  );
}
