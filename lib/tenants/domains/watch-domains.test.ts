import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { landingDomains } from "@/lib/platform/db/schema";
import { nameServer } from "@/lib/testing/http/name-server";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { watchDomains } from "./watch-domains";

const dns = await nameServer();
useService({ DNS_SERVERS: dns.address, LOG_LEVEL: "silent" });
afterAll(() => dns.close());

const DOMAINS = Array.from({ length: 12 }, (_, n) => `d${String(n).padStart(2, "0")}.shop.example`);

test("domains are looked up several at once, and a run that took long leaves the others to the next", async () => {
  const { ctx } = await makeTenant();
  await database()
    .orm.insert(landingDomains)
    .values(DOMAINS.map((domain) => ({ domain, appId: ctx.app.id })));
  for (const domain of DOMAINS) dns.zone.set(`_metacode.${domain}`, "silence");
  const requested = new Set<string>();
  const answer = dns.zone.get.bind(dns.zone);
  vi.spyOn(dns.zone, "get").mockImplementation((name) => {
    requested.add(name.replace("_metacode.", ""));
    return answer(name);
  });

  const run = watchDomains(database());
  await vi.waitFor(() => expect([...requested].sort()).toEqual(DOMAINS.slice(0, 10)), 60_000);
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  onTestFinished(() => clock.mockRestore());
  dns.zone.clear();
  await run;
  clock.mockRestore();
  expect(requested.size).toBe(10);

  for (const rest of [DOMAINS.slice(10), DOMAINS]) {
    requested.clear();
    await watchDomains(database());
    expect([...requested].sort()).toEqual(rest);
  }
});
