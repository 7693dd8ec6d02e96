import type { WorkspaceContext } from "@/lib/context";
import { fail } from "@/lib/errors";

/** Throws VALIDATION_ERROR unless the workspace's name was typed, give or take spaces around it. */
export function requireName({ workspace }: WorkspaceContext, typed: string): void {
  if (typed.trim() === workspace.name) return;
  fail("VALIDATION_ERROR", `Type ${workspace.name} to go on`, { field: "confirm" });
}
