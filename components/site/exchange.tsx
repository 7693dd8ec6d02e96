import { Code } from "@/components/docs/code";
import type { Block } from "@/lib/contract/docs";

type CodeOf = Extract<Block, { kind: "code" }>;

/** A request and its answer, one after the other. */
export function Exchange({ request, answer }: { request: CodeOf; answer: CodeOf }) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <Code {...request} lines={request.lines ?? []} />
      <Code {...answer} lines={answer.lines ?? []} />
    </div>
  );
}
