import { mayAct, type Role } from "@/lib/contract/workspace";
import type { Door } from "./doors";

/**
 * The lowest role that a door may require, by its path and name; the first matching rule decides. The list repeats the
 * promises of the pages, so that a role lowered by mistake is found.
 */
const LEAST: [RegExp, Role][] = [
  [/#(leave|updateWeeklyEmail)Action$/, "viewer"],
  [/#(erase|transfer)\w*Action$|#delete(App|Workspace)\w*$/i, "owner"],
  [/codes\/app-store\/.*#/, "admin"],
  [/codes\/.*export\/route\.ts#/, "owner"],
  // A visitor who sees a whole code can redeem it.
  [/#(revealCode|grantRewards|claimForInfluencer)Action$/, "admin"],
  [/referr(er|al)s\/export\/route\.ts#/, "member"],
  // Support helps single users and takes back fraudulent rewards; campaigns, batches and new rewards need a member.
  [
    /\[referralId\]\/actions\.ts#|#joinUidsAction$|#update(User)?NotesAction$|#(withdraw|restore)RewardAction$|#(reverse|restore|release|approve|dismiss)ManyAction$|#(replay|dismiss|dismissUninvited|dismissChosen|restore|restoreChosen|linkInbox)EventAction$/,
    "support",
  ],
  [/\[workspaceId\]\/.*#/, "admin"],
  // Support work, not set-up: members look through received events and try out a sandbox.
  [/\/providers\/.*#(replay|dismiss|restore|link|sendSample)\w*EventAction$|#simulateAction$/, "member"],
  [/\[appId\]\/(alerts|keys|providers|webhooks|settings)\/.*#/, "admin"],
  [/route\.ts#(GET|HEAD)$/, "viewer"],
  [/./, "member"],
];

/** Faults of a door's declaration: a role below the policy, or a tenant's ids in a form without a tenant. */
export function misdeclared(door: Door): string[] {
  const { access, name } = door;
  if (!access) return ["was made by no frame"];
  if (access.in === "anywhere" || access.in === "account") {
    const fields = Object.keys((access.schema as { shape?: object } | undefined)?.shape ?? {});
    return fields
      .filter((field) => field === "appId" || field === "workspaceId")
      .map((field) => `takes ${field} without asking for a role`);
  }
  const least = access.readOnly ? "viewer" : LEAST.find(([pattern]) => pattern.test(name))?.[1];
  return least && mayAct(access.role, least) ? [] : [`asks for ${access.role}, and needs ${least}`];
}
