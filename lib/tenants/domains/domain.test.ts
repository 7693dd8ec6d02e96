import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appDomain, recordValue } from "@/lib/contract/domain";
import { detect } from "@/lib/outward/problems/detect";
import { database } from "@/lib/platform/db/client";
import { apps, auditLog, landingDomains } from "@/lib/platform/db/schema";
import { deleteApp } from "@/lib/tenants/apps/delete";
import { clientOf } from "@/lib/testing/client";
import { hostServer } from "@/lib/testing/domain";
import { nameServer } from "@/lib/testing/http/name-server";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { PIXEL_AGENT } from "@/lib/testing/user-agents";
import { updateDomain } from "./update-domain";
import { verifyDomain } from "./verify-domain";
import { watchDomains } from "./watch-domains";

const dns = await nameServer();
useService({
  DNS_SERVERS: dns.address,
  APP_URL: "https://metacode.example",
  LANDING_URL: "https://go.example",
});

let service: Awaited<ReturnType<typeof hostServer>>;
beforeAll(async () => {
  service = await hostServer();
});
afterAll(async () => {
  dns.close();
  await service.close();
});

const row = async ({ ctx }: Tenant) => {
  const [app] = await database().orm.select().from(apps).where(eq(apps.id, ctx.app.id));
  return app;
};

const linkOf = async ({ key }: Tenant) => (await clientOf(key).referrer("ann")).body.referral_link as string;

/** Whether the host shows this link's page. */
const shows = async (host: string, link: string) =>
  (await service.ask(host, new URL(link).pathname, "GET", { "user-agent": PIXEL_AGENT })).status === 200;

/** The records of a domain: those of these apps, with a stranger's beside them. */
function publish(domain: string, ...tenants: Tenant[]): void {
  dns.zone.set(`_metacode.${domain}`, ["v=spf1 -all", ...tenants.map(({ ctx }) => recordValue(ctx.app.id))]);
}

let made = 0;
async function wanting(): Promise<{ tenant: Tenant; domain: string }> {
  const tenant = await makeTenant();
  const domain = `invite${made++}.shop.example`;
  await updateDomain(tenant.ctx, domain);
  return { tenant, domain };
}

async function verified() {
  const { tenant, domain } = await wanting();
  publish(domain, tenant);
  await verifyDomain(tenant.ctx);
  return { tenant, domain };
}

describe("a domain", () => {
  test("counts once its record was seen: links, host and audit log say so", async () => {
    const { tenant, domain } = await wanting();
    expect(await linkOf(tenant)).toMatch(/^https:\/\/go\.example\/r\//);
    expect((await service.ask(domain, "/dashboard")).status).toBe(200);
    publish(domain, tenant);
    await verifyDomain(tenant.ctx);
    const link = await linkOf(tenant);
    expect(link).toMatch(new RegExp(`^https://${domain}/r/`));
    expect(await shows(domain, link)).toBe(true);
    expect((await service.ask(domain, "/dashboard")).status).toBe(404);
    const mine = and(eq(auditLog.appId, tenant.ctx.app.id), eq(auditLog.subject, "app"));
    const entries = await database().orm.select().from(auditLog).where(mine).orderBy(auditLog.id);
    expect(entries.map(({ action }) => action)).toEqual(["app.domain_changed", "app.domain_verified"]);
  });

  test.each([
    ["is not there", undefined, "VALIDATION_ERROR", /does not exist yet/],
    ["has another value", ["metacode-app=another"], "VALIDATION_ERROR", /has another value/],
    [
      "has a value that only begins alike",
      [`x ${recordValue(uuidv7())}`],
      "VALIDATION_ERROR",
      /another value/,
    ],
    ["cannot be asked for", "servfail" as const, "SERVICE_UNAVAILABLE", /did not answer/],
  ])("does not count while its record %s", async (_, answer, code, message) => {
    const { tenant, domain } = await wanting();
    if (answer) dns.zone.set(`_metacode.${domain}`, answer);
    await expect(verifyDomain(tenant.ctx)).rejects.toMatchObject({
      code,
      field: "landingDomain",
      message: expect.stringMatching(message),
    });
    expect((await row(tenant))?.landingDomainVerifiedAt).toBeNull();
    expect(await linkOf(tenant)).toContain("https://go.example/");
  });

  test("of another app does not count for this one, whatever was saved first", async () => {
    const { tenant: holder, domain } = await verified();
    const thief = await makeTenant();
    await updateDomain(thief.ctx, domain);
    await expect(verifyDomain(thief.ctx)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    publish(domain, holder, thief);
    await expect(verifyDomain(thief.ctx)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await linkOf(holder)).toContain(domain);
    expect(await linkOf(thief)).toContain("go.example");
  });

  test("goes over to the app that its record names alone", async () => {
    const { tenant: former, domain } = await verified();
    const heir = await makeTenant();
    await updateDomain(heir.ctx, domain);
    publish(domain, heir);
    await verifyDomain(heir.ctx);
    expect([await linkOf(former), await linkOf(heir)].map((link) => new URL(link).host)).toEqual([
      "go.example",
      domain,
    ]);
    expect(await shows(domain, await linkOf(former))).toBe(false);
    const moved = `Another app has verified ${domain}`;
    const titles = async ({ ctx }: Tenant) => (await detect(ctx)).map(({ title }) => title);
    expect(await titles(former)).toContain(moved);
    expect(await titles(heir)).not.toContain(moved);
    const mine = and(eq(auditLog.appId, former.ctx.app.id), eq(auditLog.action, "app.domain_moved"));
    expect(await database().orm.select().from(auditLog).where(mine)).toMatchObject([
      { workspaceId: former.ctx.workspace.id, actorKind: "system", after: { landingDomain: domain } },
    ]);
    await updateDomain(former.ctx, null);
    expect(await titles(former)).not.toContain(moved);
  });

  test("of a deleted app goes over while the records of both exist", async () => {
    const { tenant: former, domain } = await verified();
    await deleteApp(former.ctx);
    const heir = await makeTenant();
    await updateDomain(heir.ctx, domain);
    publish(domain, former, heir);
    await verifyDomain(heir.ctx);
    expect(await linkOf(heir)).toContain(domain);
  });

  test("belongs to one app when several prove it at the same time", async () => {
    const domain = "race.shop.example";
    const tenants = await Promise.all(Array.from({ length: 8 }, () => makeTenant()));
    for (const { ctx } of tenants) await updateDomain(ctx, domain);
    publish(domain, ...tenants);
    const ends = await Promise.allSettled(tenants.map(({ ctx }) => verifyDomain(ctx)));
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const taken = eq(landingDomains.domain, domain);
    expect(await database().orm.select().from(landingDomains).where(taken)).toHaveLength(1);
  });

  test("is released by another domain or none, and is then free", async () => {
    const { tenant, domain } = await verified();
    await updateDomain(tenant.ctx, null);
    expect(await linkOf(tenant)).toContain("go.example");
    expect((await service.ask(domain, "/dashboard")).status).toBe(200);
    const next = await makeTenant();
    await updateDomain(next.ctx, domain);
    publish(domain, next);
    await verifyDomain(next.ctx);
    expect(await linkOf(next)).toContain(domain);
  });

  test("of the service itself is refused, and so is verification without one", async () => {
    const { ctx } = await makeTenant();
    for (const host of ["metacode.example", "go.example"]) {
      await expect(updateDomain(ctx, host)).rejects.toMatchObject({ field: "landingDomain" });
    }
    await expect(verifyDomain(ctx)).rejects.toMatchObject({ message: "Save a domain first" });
  });
});

describe("a record that goes", () => {
  const lost = async ({ ctx }: Tenant) =>
    (await detect(ctx)).map(({ severity, kind }) => `${severity} ${kind}`);

  test("is said, while links keep working, and no longer once it is back", async () => {
    const { tenant, domain } = await verified();
    publish(domain);
    await watchDomains(database());
    expect(await lost(tenant)).toContain("warning domain_lost");
    expect(await shows(domain, await linkOf(tenant))).toBe(true);
    const since = (await row(tenant))?.landingDomainLostAt;
    await watchDomains(database());
    expect((await row(tenant))?.landingDomainLostAt).toEqual(since);
    publish(domain, tenant);
    await watchDomains(database());
    expect(await lost(tenant)).not.toContain("warning domain_lost");
  });

  test("is not believed of a DNS that fails", async () => {
    const { tenant, domain } = await verified();
    dns.zone.set(`_metacode.${domain}`, "servfail");
    await watchDomains(database());
    expect((await row(tenant))?.landingDomainLostAt).toBeNull();
    publish(domain);
    await watchDomains(database());
    dns.zone.set(`_metacode.${domain}`, "servfail");
    await watchDomains(database());
    expect((await row(tenant))?.landingDomainLostAt).not.toBeNull();
  });
});

describe("typed input", () => {
  const read = (landingDomain: string) => appDomain.safeParse({ landingDomain });

  test.each([
    ["Invite.Example.COM", "invite.example.com"],
    ["invite.example.com.", "invite.example.com"],
    [" https://invite.example.com/ ", "invite.example.com"],
    ["einladung.müller.de", "einladung.xn--mller-kva.de"],
    ["ПРИГЛАСИ.пример.рф", "xn--80afvggy3b.xn--e1afmkfd.xn--p1ai"],
    ["shop.co.uk", "shop.co.uk"],
  ])("%s is read as %s", (typed, domain) => {
    expect(read(typed).data?.landingDomain).toMatch(
      domain.startsWith("xn--80a") ? /^xn--.*\.xn--e1afmkfd\.xn--p1ai$/ : domain,
    );
  });

  test.each([
    ["10.0.0.1", /IP address/],
    ["2130706433", /IP address/],
    ["[::1]", /IP address/],
    ["localhost", /public domain/],
    ["printer.local", /public domain/],
    ["co.uk", /below co\.uk/],
    ["com", /such as invite/],
    ["*.example.com", /such as invite/],
    ["exa mple.com", /such as invite/],
    ["-a.example.com", /such as invite/],
    ["_x.example.com", /such as invite/],
    ["example.com/r", /such as invite/],
    ["example.com:8443", /such as|IP/],
    ["user@example.com", /such as invite/],
    [`${"a".repeat(64)}.com`, /such as invite/],
    [`${"a.".repeat(126)}com`, /too long/],
    ["exa\0mple.com", /such as invite/],
  ])("%j is refused with a reason", (typed, reason) => {
    expect(read(typed).error?.issues[0]?.message).toMatch(reason);
  });
});
