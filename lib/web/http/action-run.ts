import { AsyncLocalStorage } from "node:async_hooks";
import { singleton } from "@/lib/platform/singleton";
import { toAppError } from "@/lib/web/http/answer";

/** A request of the framework: whether its server action was reached, and whether the database made its page fail. */
interface ActionRun {
  began: boolean;
  outage: boolean;
}

function runs(): AsyncLocalStorage<ActionRun> {
  return singleton("http.action-run", () => new AsyncLocalStorage<ActionRun>());
}

/** Runs a request of the framework, which marks in `run` that it reached an action. */
export function withActionRun<Result>(run: ActionRun, work: () => Result): Result {
  return runs().run(run, work);
}

/** Called first by every action; a request that fails earlier had an unreadable form. */
export function markActionBegun(): void {
  const run = runs().getStore();
  if (run) run.began = true;
}

/** Called with every error of a page. */
export function noteRenderError(error: unknown): void {
  const run = runs().getStore();
  if (run && toAppError(error).code === "SERVICE_UNAVAILABLE") run.outage = true;
}
