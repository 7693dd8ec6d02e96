import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { TwoFactor } from "./two-factor";

vi.mock("next/navigation", async (original) => ({
  ...(await original()),
  useRouter: () => ({}),
  usePathname: () => "/dashboard/account",
  useSearchParams: () => new URLSearchParams(),
}));

test("an account without a password is not said to sign in with one", () => {
  const action = async () => ({ ok: undefined }) as never;
  const stateFor = (hasPassword: boolean) =>
    renderToStaticMarkup(
      createElement(TwoFactor, {
        since: null,
        codesLeft: 0,
        prover: { email: "ann@example.com", hasPassword },
        begin: action,
        enable: action,
        disable: action,
        renew: action,
      }),
    );
  expect(stateFor(true)).toContain("Your password alone is enough");
  expect(stateFor(false)).toContain("A connected account alone is enough");
});
