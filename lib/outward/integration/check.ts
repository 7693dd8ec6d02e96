import { DAY_MS, formatCount, formatLongDate, PLATFORM_NAME } from "@/lib/contract/format";
import type { CheckTopic, CheckView } from "@/lib/contract/integration-check";
import { type ProblemView, SEVERITIES } from "@/lib/contract/problems";
import { checkCodes } from "@/lib/outward/integration/check-codes";
import { checkKeys } from "@/lib/outward/integration/check-keys";
import { checkLoop } from "@/lib/outward/integration/check-loop";
import { checkProviders } from "@/lib/outward/integration/check-providers";
import { checkWebhooks } from "@/lib/outward/integration/check-webhooks";
import { type Fact, listed } from "@/lib/outward/integration/fact";
import { listProblems } from "@/lib/outward/problems/detect";
import { SOON_DAYS } from "@/lib/outward/problems/detect-codes";
import { type Campaign, listCampaigns } from "@/lib/program/campaigns/read";
import { stockOf } from "@/lib/program/stats/stock";
import type { Context } from "@/lib/tenants/context";

/**
 * Checks the parts of an app's integration, each with its evidence: the problems of the overview and the alerts, and
 * facts that add what works. The statements run one after the other, each over a bounded number of rows of an index.
 */
export async function checkIntegration(ctx: Context): Promise<CheckView[]> {
  const stock = await stockOf(ctx);
  const campaigns = await listCampaigns(ctx);
  const facts = [
    ...(await checkKeys(ctx)),
    ...(await checkLoop(ctx)),
    ...(await checkProviders(ctx)),
    ...(await checkWebhooks(ctx)),
    ...(await checkCodes(ctx, stock, campaigns)),
    ...checkCampaigns(campaigns),
  ];
  return withProblems(facts, await listProblems(ctx, { stock }));
}

const TOPIC_OF: Record<ProblemView["kind"], CheckTopic> = {
  quota: "keys",
  key_limited: "keys",
  key_unused: "keys",
  pace: "loop",
  review: "loop",
  unmatched: "loop",
  provider_refused: "providers",
  provider_silent: "providers",
  provider_never: "providers",
  webhook_failing: "webhooks",
  backlog: "webhooks",
  pool_low: "codes",
  refill_stopped: "codes",
  batch_expiring: "codes",
  rewards_waiting: "codes",
  campaign: "campaigns",
  budget: "campaigns",
  domain_lost: "links",
};

/** Adds to each fact the problems of its rows. A problem that belongs to no fact becomes a separate check. */
function withProblems(facts: readonly Fact[], problems: readonly ProblemView[]): CheckView[] {
  const left = new Set(problems);
  const checked = facts.map((fact): CheckView => {
    const own = problems.filter(
      ({ kind, subject }) =>
        TOPIC_OF[kind] === fact.topic && subject.split(" ").some((id) => fact.rows.includes(id)),
    );
    for (const problem of own) left.delete(problem);
    const { rows: _, ...view } = fact;
    return { ...view, state: worst([fact.state, ...own.map(({ severity }) => severity)]), problems: own };
  });
  const others = [...left].map((problem): CheckView => {
    const { kind, subject, severity: state, detail, notifiedAt: _, ...step } = problem;
    return {
      ...step,
      topic: TOPIC_OF[kind],
      subject: `${kind} ${subject}`,
      state,
      evidence: [detail],
      problems: [],
    };
  });
  return [...others, ...checked];
}

const STATES: readonly CheckView["state"][] = [...SEVERITIES, "good", "idle"];

function worst(states: CheckView["state"][]): CheckView["state"] {
  return STATES.find((state) => states.includes(state)) ?? "idle";
}

/** Its row `none` matches the problem "none active", which is reported once codes are ready. */
const noCampaign = (drafts: number): Fact => ({
  topic: "campaigns",
  subject: "none",
  rows: ["none"],
  state: "warning",
  title: "No campaign has been activated",
  evidence: [
    drafts > 0 ? `${formatCount(drafts, "draft")} to activate.` : "There is none to activate: create one.",
  ],
  path: "/campaigns",
  action: "Open campaigns",
});

/** The campaigns that run or are paused, with their end. */
function checkCampaigns(campaigns: Campaign[]): Fact[] {
  const now = Date.now();
  if (!campaigns.some(({ activatedAt }) => activatedAt))
    return [noCampaign(campaigns.filter(({ status }) => status === "draft").length)];
  return campaigns
    .filter(({ status }) => status === "active" || status === "paused")
    .map(({ id, name, status, startsAt, endsAt, platforms }): Fact => {
      const soon = endsAt !== null && endsAt.getTime() - now < SOON_DAYS * DAY_MS;
      const later = startsAt !== null && startsAt.getTime() > now;
      const stores = platforms.map(({ platform }) => PLATFORM_NAME[platform]);
      return {
        topic: "campaigns",
        subject: id,
        rows: [id],
        state: status === "paused" || soon || later ? "hint" : "good",
        title: name,
        evidence: [
          status === "paused"
            ? "It is paused: friends get no codes."
            : `It ${later ? "will run" : "runs"} on ${listed.format(stores)}.`,
          ...(later ? [`It starts on ${formatLongDate(startsAt)}: until then friends get no codes.`] : []),
          endsAt ? `It ends on ${formatLongDate(endsAt)}.` : "It has no end.",
        ],
        path: `/campaigns/${id}`,
        action: "Open the campaign",
      };
    });
}
