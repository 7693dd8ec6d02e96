import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { renderToPipeableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import CheckPage from "@/app/dashboard/apps/[appId]/check/page";
import type { CheckState, CheckTopic, CheckView } from "@/lib/contract/integration-check";
import { checkIntegration } from "@/lib/outward/integration/check";
import { checkLinks } from "@/lib/outward/integration/check-links";
import { appContext } from "@/lib/web/session/context";

vi.mock("next/navigation", async (original) => ({ ...(await original()), useRouter: () => ({}) }));
vi.mock("@/lib/web/session/context", async (original) => ({ ...(await original()), appContext: vi.fn() }));
vi.mock("@/lib/outward/integration/check", () => ({ checkIntegration: vi.fn() }));
vi.mock("@/lib/outward/integration/check-links", () => ({ checkLinks: vi.fn() }));

const check = (topic: CheckTopic, state: CheckState): CheckView => ({
  topic,
  state,
  subject: `${topic} ${state}`,
  title: topic,
  evidence: [],
  problems: [],
  path: "/settings",
  action: "Open",
});

/** The texts of the page, sent as soon as React can send a part of it or once it is whole. */
async function shownFrom(sent: "onShellReady" | "onAllReady") {
  const app = { id: "a", sandbox: false, twinId: null };
  const context = { ctx: { app }, app, workspace: { id: "w" }, role: "viewer" };
  vi.mocked(appContext).mockResolvedValue(context as unknown as Awaited<ReturnType<typeof appContext>>);
  vi.mocked(checkIntegration).mockResolvedValue([check("keys", "good"), check("codes", "critical")]);
  vi.mocked(checkLinks).mockResolvedValue([check("links", "good"), check("links", "warning")]);
  const page = await CheckPage({ params: Promise.resolve({ appId: "a" }) });
  const html = await new Promise<string>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      [sent]: () => resolve(text(pipe(new PassThrough()))),
      onError: reject,
    });
  });
  return html.replaceAll(/<!--.*?-->|<[^>]*>/g, "");
}

test("the numbers above the integration check include the links, which are fetched after the rest", async () => {
  expect(await shownFrom("onAllReady")).toContain("2 good, 2 problems, 0 hints.");
});

test("the line above the integration check says that the results are being counted until the links are fetched", async () => {
  expect(await shownFrom("onShellReady")).toContain("with the evidence. Counting the results …");
});
