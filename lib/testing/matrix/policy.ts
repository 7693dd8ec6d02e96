import { mayAct, type Role } from "@/lib/contract/roles";
import type { Door } from "./doors";

/**
 * The least role that a door may ask for, by where it is and how it is called; the first rule that fits decides.
 * It restates what the rooms promise, so that a role lowered by mistake is seen.
 */
const LEAST: [RegExp, Role][] = [
  [/#leaveAction$/, "viewer"],
  [/#(erase|transfer)\w*Action$|#delete(App|Workspace)\w*$/i, "owner"],
  [/codes\/app-store\/.*#/, "admin"],
  [/codes\/.*export\/route\.ts#/, "owner"],
  // Whoever sees a whole code may spend it.
  [/#(revealCode|grantRewards|handOutRewards)Action$/, "admin"],
  [/referr(er|al)s\/export\/route\.ts#/, "member"],
  [/\[workspaceId\]\/.*#/, "admin"],
  // Support, not setup: what a provider sent is looked through, and a sandbox is tried out.
  [/\/providers\/.*#(replay|dismiss|return|link|sendTest)\w*EventAction$|#simulateAction$/, "member"],
  [/\[appId\]\/(alerts|keys|providers|webhooks|settings)\/.*#/, "admin"],
  [/route\.ts#(GET|HEAD)$/, "viewer"],
  [/./, "member"],
];

/** What a door's declaration gets wrong: a role below the policy, or a tenant's ids in a form that names no tenant. */
export function misdeclared(door: Door): string[] {
  const { needs, name } = door;
  if (!needs) return ["was made by no frame"];
  if (needs.in === "anywhere" || needs.in === "account") {
    const fields = Object.keys((needs.schema as { shape?: object } | undefined)?.shape ?? {});
    return fields
      .filter((field) => field === "appId" || field === "workspaceId")
      .map((field) => `takes ${field} without asking for a role`);
  }
  const least = needs.reads ? "viewer" : LEAST.find(([pattern]) => pattern.test(name))?.[1];
  return least && mayAct(needs.role, least) ? [] : [`asks for ${needs.role}, and needs ${least}`];
}
