import { z } from "zod";
import { listCursor } from "./cursor";
import { uuidField } from "./uuid";

/** What people change, by the first word of an action in the audit log. */
export const AUDIT_NOUNS = {
  alert_channel: "Alert channel",
  api_key: "API key",
  app: "App",
  batch: "Batch",
  campaign: "Campaign",
  code: "Code",
  code_request: "Request for codes",
  confirmation: "Confirmation",
  connection: "Provider connection",
  event: "Provider event",
  invitation: "Invitation",
  member: "Team member",
  person: "Person of an app",
  pool: "Pool",
  refill: "Refill rule",
  referral: "Referral",
  referrer: "Referrer",
  reward: "Reward",
  store_key: "App Store Connect key",
  webhook: "Webhook endpoint",
  workspace: "Workspace",
} as const;

type AuditNoun = keyof typeof AUDIT_NOUNS;

/** `api_key.secret_changed` as people read it: "API key secret changed". */
export function actionWords(action: string): string {
  const [noun = "", done = ""] = action.split(".");
  return `${AUDIT_NOUNS[noun as AuditNoun] ?? noun.replaceAll("_", " ")} ${done.replaceAll("_", " ")}`.trim();
}

const day = z.iso.date();

/** What of the audit log is looked for, from an address bar; whatever is not understood is left out. */
export const auditFilters = z.object({
  /** In the names of who and what. */
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
});

export type AuditFilters = z.output<typeof auditFilters>;

/** One value that a change touched, as text; null where there was none. */
export interface AuditChange {
  field: string;
  before: string | null;
  after: string | null;
}

/** An entry of the audit log as a person reads it. */
export interface AuditLine {
  id: string;
  at: Date;
  action: string;
  actor: string;
  /** The network address it came from; null for the service itself. */
  address: string | null;
  subject: { kind: string; id: string; name: string | null };
  app: { id: string; name: string } | null;
  changes: AuditChange[];
}
