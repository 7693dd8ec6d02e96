import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { forgetSingleton } from "@/lib/platform/singleton";
import { usePassingTime } from "@/lib/testing/clock";
import { blockedBackends } from "@/lib/testing/database/locks";
import { statementsOf } from "@/lib/testing/database/statements";
import { assignDomain } from "@/lib/testing/domain";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { appOfHost, forgetHosts } from "./hosts";

useService({ APP_URL: "https://metacode.example", LANDING_URL: "https://go.example" });
const pass = usePassingTime();

let lumen: Tenant;
beforeAll(async () => {
  lumen = await makeTenant();
  await assignDomain(lumen.ctx.app.id, "invite.lumen.example");
});

test("made-up hosts, however many wait, share a statement with an app's own", async () => {
  forgetHosts();
  const holder = await database().pool.connect();
  await holder.query("begin; lock table landing_domains in access exclusive mode");
  const texts = await statementsOf(async () => {
    const made = Array.from({ length: 100 }, (_, n) => appOfHost(`flood-${n}.example`));
    await blockedBackends(2);
    const own = appOfHost("invite.lumen.example");
    await holder.query("commit");
    expect(await own).toBe(lumen.ctx.app.id);
    await Promise.all(made);
  });
  holder.release();
  expect(texts.filter((text) => text.includes('from "landing_domains"'))).toHaveLength(3);
});

test.each(["57014", "42P01"])(
  "made-up hosts whose statement failed with %s are not looked up one by one",
  async (code) => {
    forgetHosts();
    const failed = () => Promise.reject(Object.assign(new Error("of the database"), { code }));
    const select = vi
      .spyOn(database().orm, "select")
      .mockReturnValue({ from: () => ({ innerJoin: () => ({ where: failed }) }) } as never);
    onTestFinished(() => void select.mockRestore());
    const lookUps = Array.from({ length: 100 }, (_, n) => appOfHost(`cancelled-${n}.example`));
    const results = await Promise.allSettled(lookUps);
    const reasons = results.map((result) =>
      result.status === "rejected" ? result.reason.message : undefined,
    );
    expect(new Set(reasons)).toEqual(new Set(["of the database"]));
    expect(select.mock.calls.length).toBe(3);
  },
);

test("made-up hosts drop no app's own from the cache, which stands during an outage", async () => {
  expect(await appOfHost("invite.lumen.example")).toBe(lumen.ctx.app.id);
  for (let n = 0; n < 20; n++)
    await Promise.all(Array.from({ length: 1_000 }, (_, m) => appOfHost(`evict-${n}-${m}.example`)));
  pass(60_000);
  await database().close();
  expect(await appOfHost("invite.lumen.example")).toBe(lumen.ctx.app.id);
  forgetSingleton("database");
});

test("names that no app's domain can have are not looked up, so that probes by them need no database", () => {
  for (const host of [
    "10.0.0.1:3000",
    "[::1]:3000",
    "metacode:3000",
    "metacode.internal",
    "a..b",
    "a_b.example",
  ])
    expect([host, appOfHost(host)]).toEqual([host, undefined]);
  expect(appOfHost("invite.lumen.example")).toBeInstanceOf(Promise);
});
