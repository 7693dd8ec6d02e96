import { expect, onTestFinished, test, vi } from "vitest";
import { forgetSingleton } from "@/lib/platform/singleton";
import { exchange } from "@/lib/testing/http/raw-http";
import { call, useSupervisor } from "@/lib/testing/processes/supervised";
import { notePages, pagesBacklog } from "@/lib/web/http/health";

const launch = useSupervisor();

const PATIENCE = { timeout: 60_000, interval: 20 };

const readinessOf = async (port: number) =>
  (await exchange(port, "GET /api/ready HTTP/1.1\r\nHost: localhost\r\n\r\n")).status;

test("a pages process whose framework does not load is replaced, and the service becomes ready", async () => {
  vi.stubEnv("FIRST_WARM_UP", "fails");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { port, said } = await launch({ pages: true });
  await said("ended (code 1) and is being restarted");
  await vi.waitFor(async () => expect(await readinessOf(port)).toBe(200), PATIENCE);
});

test("a web process that replaces a dead one while pages are away is ready, because the service was", async () => {
  const { port, said } = await launch({ pages: true });
  await said("ready");
  const readiness = () => readinessOf(port);
  const pidOf = async (path: string) => (await call<{ pid: number }>(port, `GET ${path}`)).pid;
  await vi.waitFor(async () => expect(await readiness()).toBe(200), PATIENCE);
  const pages = await pidOf("/page");
  const web = await pidOf("/api/state");
  // Stopped, because a killed process would be replaced; a stopped one outlives its supervisor, so the test kills it.
  process.kill(pages, "SIGSTOP");
  onTestFinished(() => void process.kill(pages, "SIGKILL"));
  process.kill(web, "SIGKILL");
  await said(`Web process ${web} ended`);
  await vi.waitFor(async () => expect(await pidOf("/api/state")).not.toBe(web), PATIENCE);
  expect(await readiness()).toBe(200);
});

test("pages have been away since the first look that they did not answer", () => {
  onTestFinished(() => {
    vi.restoreAllMocks();
    forgetSingleton("pages.away");
  });
  notePages(false);
  const now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now + 61_000);
  notePages(false);
  expect(pagesBacklog()[0]?.seconds).toBeGreaterThanOrEqual(61);
  notePages(true);
  expect(pagesBacklog()[0]?.seconds).toBe(0);
});
