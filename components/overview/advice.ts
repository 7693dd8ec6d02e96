import type { Attention } from "@/lib/contract/overview";
import { count, counted, dayName, lasting, PLATFORM_NAMES } from "./words";

/** What is wrong, what it means, and the one click to where it is mended. */
interface Advice {
  tone: "bad" | "warn";
  title: string;
  detail: string;
  /** Below the app's own path. */
  path: string;
  fix: string;
}

type Of<Kind extends Attention["kind"]> = Extract<Attention, { kind: Kind }>;

type Advisers = { [Kind in Attention["kind"]]: (item: Of<Kind>) => Advice };

const ADVISERS: Advisers = {
  pool_empty: ({ id, name }) => ({
    tone: "bad",
    title: `The pool “${name}” is empty`,
    detail: "Whoever should get a code of it gets none.",
    path: `/codes/import?pool=${id}`,
    fix: "Upload codes",
  }),
  pool_low: ({ id, name, free, daysLeft }) => ({
    tone: "warn",
    title: `The pool “${name}” runs low`,
    detail: `${counted(free, "code")} left${daysLeft === null ? "" : `, ${lasting(daysLeft).toLowerCase()}`}.`,
    path: `/codes/import?pool=${id}`,
    fix: "Upload codes",
  }),
  batch_expiring: ({ id, name, free, at }) => ({
    tone: "warn",
    title: `Codes of “${name}” expire on ${dayName(at)}`,
    detail: `${count(free)} are free, more than go out until then at the present pace.`,
    path: `/codes/batches/${id}`,
    fix: "Look at the batch",
  }),
  no_pool: ({ id, name, platform, use }) => ({
    tone: use === "referee" ? "bad" : "warn",
    title: `The campaign “${name}” has no ${use} pool for ${PLATFORM_NAMES[platform]}`,
    detail:
      use === "referee"
        ? "Friends on that platform get no code."
        : "Referrers earn rewards there that nobody can claim.",
    path: `/campaigns/${id}`,
    fix: "Choose a pool",
  }),
  provider_refused: ({ id, name }) => ({
    tone: "bad",
    title: `Deliveries of ${name} are refused`,
    detail: "They come without the right secret, so nothing is confirmed.",
    path: `/providers/${id}`,
    fix: "Check the secret",
  }),
  provider_never: ({ id, name }) => ({
    tone: "warn",
    title: `${name} has never told anything`,
    detail: "Without its events no referral is confirmed. Send a test event.",
    path: `/providers/${id}`,
    fix: "Set it up",
  }),
  provider_silent: ({ id, name, at }) => ({
    tone: "warn",
    title: `${name} is silent since ${dayName(at)}`,
    detail: "Check its webhook settings if people have subscribed since.",
    path: `/providers/${id}`,
    fix: "Look at its health",
  }),
  unmatched: ({ count: events, more }) => ({
    tone: "warn",
    title: `${more ? "More than " : ""}${counted(events, "confirmation")} without a referral`,
    detail: "The provider names a person who got no code under that id.",
    path: "/providers/unmatched",
    fix: "Link them",
  }),
  webhook_failing: ({ id, name, failed }) => ({
    tone: "warn",
    title: `${name} does not take events`,
    detail: `The last ${failed === 1 ? "delivery" : `${count(failed)} deliveries`} failed.`,
    path: `/webhooks/${id}`,
    fix: "See why",
  }),
  domain_lost: ({ name, at }) => ({
    tone: "warn",
    title: `The record of ${name} is gone since ${dayName(at)}`,
    detail: "Links still work. Put the TXT record back, or another app may take the domain.",
    path: "/settings/domain",
    fix: "See the record",
  }),
  key_unused: ({ name }) => ({
    tone: "warn",
    title: `The key “${name}” was never used`,
    detail: "Put it into your app, or revoke it.",
    path: "/keys",
    fix: "Look at the keys",
  }),
};

/** The words for something that needs attention. */
export function advice<Kind extends Attention["kind"]>(item: Of<Kind>): Advice {
  const adviser = ADVISERS[item.kind] as unknown as (item: Of<Kind>) => Advice;
  return adviser(item);
}
