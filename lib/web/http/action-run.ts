import { AsyncLocalStorage } from "node:async_hooks";
import { singleton } from "@/lib/platform/singleton";

/** A request that may carry a server action, and whether the action's own code was reached. */
interface ActionRun {
  began: boolean;
}

function runs(): AsyncLocalStorage<ActionRun> {
  return singleton("http.action-run", () => new AsyncLocalStorage<ActionRun>());
}

/** Runs a request of the framework, which marks in `run` that it reached an action. */
export function withActionRun<Result>(run: ActionRun, work: () => Result): Result {
  return runs().run(run, work);
}

/** Called by every action first. A form that fails earlier could not be read. */
export function markActionBegun(): void {
  const run = runs().getStore();
  if (run) run.began = true;
}
