import { eq } from "drizzle-orm";
import { startNextFloor } from "@/bench/floors/next";
import type { Template } from "@/bench/load/job";
import { interleave, type Measure } from "@/bench/measure";
import { printRuns, printTarget } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { httpSubject, Numbers } from "@/bench/subjects";
import { addOpenReferrals, addReferrers, createBenchTenant } from "@/bench/tenant";
import { openDatabase } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { createSession } from "@/lib/tenants/accounts/session";
import { median } from "@/lib/testing/numbers";
import { cookieName } from "@/lib/web/session/cookies";
import { issueSessionToken } from "@/lib/web/session/token";

const EMPTY = "floor: an empty Next page";

/** Pages of an app, by their path below it. */
const PAGES = {
  overview: "",
  referrers: "/referrers",
  referrals: "/referrals",
  campaigns: "/campaigns",
  codes: "/codes",
};

/** The cookie of a new session of an account. */
async function sessionCookie(url: string, email: string): Promise<string> {
  const db = openDatabase({ url, size: 1 });
  try {
    const [user] = await db.orm.select().from(users).where(eq(users.email, email));
    if (!user) throw new Error("The sample has no owner");
    const session = await createSession(db, user, { address: "127.0.0.1", userAgent: "bench" });
    return `${cookieName("session")}=${await issueSessionToken(session)}`;
  } finally {
    await db.close();
  }
}

/** Measures pages of the dashboard with thousands of rows against an empty page of Next. */
export async function benchDashboard({ quick, db, loader, service, url }: Stage): Promise<void> {
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, "seen", 5_000);
  await addOpenReferrals(db, sample.app_id, sample.campaign_id, slugs, 5_000);
  await db.query("vacuum analyze");
  const floor = await startNextFloor();
  const headers = { Cookie: await sessionCookie(url, sample.owner.email) };
  const subject = (name: string, template: Template, port: number, pids: number[]) =>
    httpSubject(loader, name, { port, pids, template, numbers: new Numbers(slugs) });
  const subjects = [
    subject(EMPTY, { method: "GET", path: "/blank" }, floor.port, [floor.pid]),
    ...Object.entries(PAGES).map(([name, path]) => {
      const template: Template = { method: "GET", path: `/dashboard/apps/${sample.app_id}${path}`, headers };
      return subject(name, template, service.port, [service.pid]);
    }),
  ];
  await interleave(subjects, { connections: 1, seconds: 5 }, 1);
  const runs = await interleave(subjects, { connections: 1, seconds: quick ? 1 : 3 }, quick ? 3 : 5);
  printRuns("1 connection", runs);
  const p50 = (name: string) => median((runs.get(name) ?? []).map((run: Measure) => run.p50));
  for (const name of Object.keys(PAGES))
    printTarget(`${name}, ms above an empty page`, p50(name) - p50(EMPTY), { most: 30 });
  console.log();
}
