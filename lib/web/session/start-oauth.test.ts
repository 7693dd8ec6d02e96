import { expect, test, vi } from "vitest";
import { visit } from "@/lib/testing/matrix/visit";
import { useOAuth } from "@/lib/testing/oauth/use-oauth";
import { cookieName } from "@/lib/web/session/cookies";
import { startOAuthSignIn } from "@/lib/web/session/start-oauth";
import { readStepToken } from "@/lib/web/session/token";

vi.mock("next/headers", () => import("@/lib/testing/matrix/visit"));

const oauth = useOAuth();
const CLAIMS = { id: "018f0000-0000-7000-8000-000000000000", sessionVersion: 1 };

test("a sign-in ends an attempt to connect that was left unfinished, and only a connection begins one", async () => {
  const { cookies } = await visit({});
  const left = () => cookies.get(cookieName("connect"));
  const starting = (connect?: typeof CLAIMS) => startOAuthSignIn("github", "/dashboard", connect);
  const redirect = { digest: expect.stringContaining(`${oauth.server.url}/authorize`) };
  await expect(starting(CLAIMS)).rejects.toMatchObject(redirect);
  expect(await readStepToken(left() ?? "", "connect")).toMatchObject({ id: CLAIMS.id });
  await expect(starting()).rejects.toMatchObject(redirect);
  expect(left()).toBe("");
});
