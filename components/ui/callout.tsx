import { CircleCheck, Info, OctagonAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

const LOOKS = {
  info: { box: "bg-accent-soft text-accent", Icon: Info },
  good: { box: "bg-good-soft text-good", Icon: CircleCheck },
  warn: { box: "bg-warn-soft text-warn", Icon: TriangleAlert },
  bad: { box: "bg-bad-soft text-bad", Icon: OctagonAlert },
};

/** A notice to read before going on. */
export function Callout({ tone = "info", children }: { tone?: keyof typeof LOOKS; children: ReactNode }) {
  const { box, Icon } = LOOKS[tone];
  return (
    <div className={`flex gap-2.5 rounded-lg px-3.5 py-3 text-sm ${box}`}>
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="grid min-w-0 gap-1">{children}</div>
    </div>
  );
}
