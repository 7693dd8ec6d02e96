import { expect, test, vi } from "vitest";
import { enterDemoAction } from "@/app/(auth)/sign-in/actions";
import FrontPage from "@/app/(site)/page";
import { database } from "@/lib/platform/db/client";
import { forgetSingleton } from "@/lib/platform/singleton";
import { renewDemo } from "@/lib/program/demo/renew";
import { makeTenantWith } from "@/lib/testing/matrix/cast";
import { visit } from "@/lib/testing/matrix/visit";
import { useService } from "@/lib/testing/service";
import { findReader } from "./queries";

vi.mock("next/headers", () => import("@/lib/testing/matrix/visit"));

useService({ AUTH_SECRET: "m".repeat(32), APP_URL: "http://localhost:3000", PUBLIC_DEMO: "on" });

/** Runs work while the database is away. */
async function withoutDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  await database().close();
  return work().finally(() => forgetSingleton("database"));
}

test("the front page offers a demo that is not built yet, as it is kept for later visitors, and says when it can be opened", async () => {
  await visit({});
  const enter = () => enterDemoAction(new FormData()).catch(({ digest }) => digest);
  for (const digest of [await enter(), await withoutDatabase(enter)]) expect(digest).toContain("/?demo=soon");
  const page = await FrontPage({ searchParams: Promise.resolve({ demo: "soon" }) });
  const shown = JSON.stringify(page, (name, value) => (name === "enterDemo" ? "offered" : value));
  expect(shown).toContain('"enterDemo":"offered"');
  expect(shown).toContain("The demo is not ready yet");
});

test("while the database is away, an account reads the docs by its session, and a visitor of the demo as any visitor", async () => {
  const { member } = await makeTenantWith("owner");
  await visit({ session: member });
  expect(await withoutDatabase(findReader)).toEqual({ id: member.id });
  await renewDemo(database());
  const { cookies } = await visit({});
  await enterDemoAction(new FormData()).catch(() => undefined);
  expect(cookies.get("metacode.session")).toBeTruthy();
  expect(await findReader()).toEqual({ apps: [] });
  // Without an id, the key field stores a key until the tab closes; without apps, it asks for a pasted key.
  expect(await withoutDatabase(findReader)).toEqual({});
});
