import { z } from "zod";
import { daysInOrder, listCursor, uuidField } from "./fields";

/** Every action that the audit log records, `noun.done`, with its label. The action of a stored row never changes. */
export const AUDIT_ACTIONS = {
  "alert_channel.created": "Alert channel created",
  "alert_channel.changed": "Alert channel updated",
  "alert_channel.enabled": "Alert channel enabled",
  "alert_channel.disabled": "Alert channel disabled",
  "alert_channel.deleted": "Alert channel deleted",
  "alert_channel.tested": "Alert channel tested",
  "api_key.created": "API key created",
  "api_key.rotated": "API key rotated",
  "api_key.revoked": "API key revoked",
  "api_key.limits_changed": "API key limits updated",
  "api_key.limits_lifted": "API key limits lifted",
  "app.created": "App created",
  "app.changed": "App updated",
  "app.icon_changed": "App icon updated",
  "app.icon_removed": "App icon removed",
  "app.landing_texts_changed": "Landing page texts updated",
  "app.domain_changed": "Landing domain updated",
  "app.domain_verified": "Landing domain verified",
  "app.domain_moved": "Landing domain verified by another app",
  "app.domain_record_lost": "Landing domain record missing",
  "app.domain_record_back": "Landing domain record found again",
  "app.twin_created": "Sandbox app created",
  "app.sandbox_reset": "Sandbox app reset",
  "app.journey_simulated": "Journey simulated",
  "app.deleted": "App deleted",
  "app.restored": "App restored",
  "batch.imported": "Batch imported",
  "batch.changed": "Batch updated",
  "batch.quarantined": "Batch quarantined",
  "batch.restored": "Batch restored",
  "batch.undone": "Import undone",
  "batch.exported": "Batch exported",
  "campaign.created": "Campaign created",
  "campaign.changed": "Campaign updated",
  "campaign.activated": "Campaign activated",
  "campaign.paused": "Campaign paused",
  "campaign.resumed": "Campaign resumed",
  "campaign.ended": "Campaign ended",
  "code.replaced": "Code replaced",
  "code.revealed": "Full code copied",
  "code_request.asked": "Codes requested",
  "code_request.given_up": "Request for codes given up",
  "confirmation.simulated": "Purchase simulated",
  "connection.created": "Provider connection created",
  "connection.renamed": "Provider connection renamed",
  "connection.web_purchases_changed": "Web purchases setting updated",
  "connection.names_changed": "Provider event names updated",
  "connection.secret_changed": "Provider secret replaced",
  "connection.signing_changed": "Provider signature setting updated",
  "connection.tested": "Provider test event sent",
  "connection.enabled": "Provider connection enabled",
  "connection.disabled": "Provider connection disabled",
  "connection.deleted": "Provider connection deleted",
  "event.linked": "Provider event linked",
  "event.unlinked": "Provider event unlinked",
  "event.dismissed": "Provider event dismissed",
  "event.dismissed_many": "Provider events dismissed",
  "event.returned": "Provider event put back under Unmatched",
  "event.replayed": "Provider event replayed",
  "event.replayed_many": "Provider events replayed",
  "invitation.created": "Invitation created",
  "invitation.renewed": "Invitation sent again",
  "invitation.accepted": "Invitation accepted",
  "invitation.withdrawn": "Invitation withdrawn",
  "member.role_changed": "Team member’s role updated",
  "member.removed": "Team member removed",
  "member.left": "Team member left",
  "person.exported": "End user’s data exported",
  "person.joined": "User IDs joined",
  "person.noted": "Notes about a user updated",
  "person.approved": "Redemption beyond a limit approved",
  "person.dismissed": "Redemption beyond a limit dismissed",
  "person.erased": "End user’s data erased",
  "pool.voided": "Free codes voided after a restore",
  "pool.created": "Pool created",
  "pool.changed": "Pool updated",
  "pool.deleted": "Pool deleted",
  "refill.set": "Refill rule created",
  "refill.changed": "Refill rule updated",
  "refill.switched_on": "Refill rule enabled",
  "refill.switched_off": "Refill rule disabled",
  "refill.removed": "Refill rule deleted",
  "referral.confirmed_by_hand": "Referral confirmed by hand",
  "referral.released": "Redemption released",
  "referral.reversed": "Referral reversed",
  "referral.restored": "Reversal undone",
  "referral.exported": "Referrals exported",
  // An app's own users become referrers without an entry: only influencers are created by hand.
  "referrer.created": "Influencer created",
  "referrer.described": "Influencer updated",
  "referrer.metacode_changed": "Metacode updated",
  "referrer.noted": "Notes updated",
  "referrer.paused": "Referrer paused",
  "referrer.resumed": "Referrer resumed",
  "referrer.ended": "Referrer ended",
  "referrer.exported": "Referrers exported",
  "reward.granted": "Reward granted by hand",
  "reward.goodwill": "Goodwill reward granted",
  "reward.withdrawn": "Reward withdrawn",
  "reward.restored": "Withdrawn reward restored",
  "reward.handed_out": "Rewards claimed for the influencer",
  "store_key.stored": "App Store Connect key stored",
  "store_key.replaced": "App Store Connect key replaced",
  "store_key.removed": "App Store Connect key deleted",
  "webhook.created": "Webhook endpoint created",
  "webhook.changed": "Webhook endpoint updated",
  "webhook.secret_changed": "Webhook secret replaced",
  "webhook.enabled": "Webhook endpoint enabled",
  "webhook.disabled": "Webhook endpoint disabled",
  "webhook.deleted": "Webhook endpoint deleted",
  "webhook.resent": "Webhook deliveries resent",
  "webhook.tested": "Webhook test event sent",
  "webhook.tried": "Webhook delivery retried now",
  "workspace.created": "Workspace created",
  "workspace.renamed": "Workspace renamed",
  "workspace.plan_changed": "Workspace plan updated",
  "workspace.audit_exported": "Audit log exported",
  "workspace.transferred": "Workspace ownership transferred",
  "workspace.deleted": "Workspace deleted",
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

type AuditNoun = AuditAction extends `${infer Noun}.${string}` ? Noun : never;

/** The first word of each action, for the filter. */
export const AUDIT_NOUNS: Readonly<Record<AuditNoun, string>> = {
  alert_channel: "Alert channels",
  api_key: "API keys",
  app: "Apps",
  batch: "Batches",
  campaign: "Campaigns",
  code: "Codes",
  code_request: "Requests for codes",
  confirmation: "Simulated purchases",
  connection: "Provider connections",
  event: "Provider events",
  invitation: "Invitations",
  member: "Team members",
  person: "End users",
  pool: "Pools",
  refill: "Refill rules",
  referral: "Referrals",
  referrer: "Referrers",
  reward: "Rewards",
  store_key: "App Store Connect keys",
  webhook: "Webhook endpoints",
  workspace: "Workspaces",
};

/** The label of a stored action. One that {@link AUDIT_ACTIONS} does not contain is spelled out. */
export function auditLabel(action: string): string {
  const text = action.replace(/[._]/g, " ");
  return AUDIT_ACTIONS[action as AuditAction] ?? text.charAt(0).toUpperCase() + text.slice(1);
}

const day = z.iso.date();

/** The filters of the audit log, from an address bar. An invalid value counts as absent. */
export const auditFilters = z
  .object({
    /** Search text for actor, subject, action and address. */
    q: z.string().trim().min(1).max(100).optional().catch(undefined),
    noun: z
      .enum(Object.keys(AUDIT_NOUNS) as AuditNoun[])
      .optional()
      .catch(undefined),
    app: uuidField("app").optional().catch(undefined),
    /** Days in UTC, both included. */
    from: day.optional().catch(undefined),
    to: day.optional().catch(undefined),
    cursor: listCursor,
  })
  .transform(daysInOrder);

export type AuditFilters = z.output<typeof auditFilters>;

/** One value that a change touched, as text; null where there was none. */
export interface AuditChange {
  field: string;
  before: string | null;
  after: string | null;
}

/** An entry of the audit log as it is shown. */
export interface AuditLine {
  id: string;
  at: Date;
  action: string;
  /** The name at that time, which members choose themselves. */
  actor: string;
  /** The member behind that name, in the workspace's log only; no email address once they have left the team. */
  member?: { id: string; email: string | null } | undefined;
  /** The network address of the request; null for the service itself, absent where the reader is no admin. */
  address?: string | null | undefined;
  subject: { kind: string; id: string; name: string | null };
  /** Does not `exist` once deleted, even if restorable. A sandbox's reset leaves the entries of deleted referrals. */
  app: { id: string; name: string; exists: boolean; sandbox: boolean } | null;
  changes: AuditChange[];
}

/** Maximum entries of one subject in a timeline. */
export const AUDIT_SHOWN = 20;

/** The hint of a timeline, which says if older changes by members may be missing. */
export function timelineHint(order: string, entries: readonly { kind: string }[]): string {
  const changes = entries.filter(({ kind }) => kind === "audit" || kind === "code_replaced");
  if (changes.length < AUDIT_SHOWN) return order;
  return `${order} Only the newest ${AUDIT_SHOWN} changes by members are listed. Older ones may be in the workspace’s audit log.`;
}
