import { ChevronRight } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import type { SimulatedExchange } from "@/lib/contract/simulator";

/** A request of a journey with its response, both behind a line that opens them. */
export function Exchange({
  exchange: { request, sent, status, answer, ms },
}: {
  exchange: SimulatedExchange;
}) {
  const tone = status !== null && status < 400 ? "good" : "bad";
  return (
    <details className="group min-w-0">
      <summary className="flex min-h-8 list-none items-center gap-2 rounded text-note hover:bg-subtle pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 text-muted transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        <Badge tone={tone}>{status ?? "No response"}</Badge>
        <span className="min-w-0 truncate font-mono text-xs">{request}</span>
        <span className="ml-auto shrink-0 text-xs text-muted tabular-nums">{ms} ms</span>
      </summary>
      <div className="grid grid-cols-1 gap-2 py-2">
        <Text label="Request" text={sent} />
        <Text label="Response" text={answer} />
      </div>
    </details>
  );
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
      tabIndex={0}
      className="max-h-72 overflow-auto rounded-md bg-subtle p-3"
    >
      <p className="pb-1 text-xs text-muted">{label}</p>
      <pre className="font-mono text-xs">{text || "(empty)"}</pre>
    </section>
  );
}
