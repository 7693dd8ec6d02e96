import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { sendEmail } from "@/lib/platform/email/send";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { bundleForChild, startChild } from "@/lib/testing/processes/child";
import { useService } from "@/lib/testing/service";
import { startSmtp } from "@/lib/testing/smtp";

useService();

const PATIENCE = { timeout: 60_000, interval: 100 };
const ANN = "ann@example.com";
const SECRET = "a secret of the tests, 32 characters";

let file: string;
beforeAll(async () => {
  file = await bundleForChild("lib/cli/web-entry.ts");
});

/** A process of a service in a role, with its own mail server, which shows the emails that this process sent. */
async function startRole(ROLE: "web" | "worker") {
  const port = await freePort();
  const smtp = await startSmtp();
  const own = {
    ROLE,
    PORT: String(port),
    HOST: "127.0.0.1",
    SMTP_URL: smtp.url,
    MAIL_FROM: "hi@example.com",
  };
  const env = {
    ...process.env,
    ...own,
    AUTH_SECRET: SECRET,
    METRICS_TOKEN: "t".repeat(16),
    NODE_ENV: "test",
  };
  const child = startChild(file, [String(await freePort())], { env: env as NodeJS.ProcessEnv });
  onTestFinished(async () => {
    await child.kill();
    await smtp.stop();
  });
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  const statusOf = async (path: string, init?: RequestInit) => (await ask(path, init)).status;
  await vi.waitFor(async () => expect(await statusOf("/api/live")).toBe(200), PATIENCE);
  return { smtp, statusOf };
}

const sendHello = () => sendEmail(database(), { to: ANN, subject: "Hello", text: "Hello" });

test("a web process leaves background work to the worker, whether it was due before or comes later", async () => {
  await sendHello();
  const web = await startRole("web");
  const worker = await startRole("worker");
  await vi.waitFor(() => expect(worker.smtp.to(ANN)).toHaveLength(1), PATIENCE);
  for (let times = 0; times < 5; times++) await sendHello();
  await vi.waitFor(() => expect(worker.smtp.to(ANN)).toHaveLength(6), PATIENCE);
  expect(web.smtp.to(ANN)).toEqual([]);
});

test("a worker answers health and metrics, and nothing else", async () => {
  const { statusOf } = await startRole("worker");
  const metrics = { headers: { authorization: `Bearer ${"t".repeat(16)}` } };
  expect(await statusOf("/api/metrics", metrics)).toBe(200);
  for (const path of ["/api/live", "/api/ready", "/api/health"])
    expect([path, await statusOf(path)]).toEqual([path, 200]);
  for (const path of [
    "/",
    "/dashboard",
    "/r/hmzts85s",
    "/api/referrer",
    "/api/auth/session",
    "/openapi.json",
  ])
    expect([path, await statusOf(path)]).toEqual([path, 404]);
});
