import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClosedInvitation } from "@/components/workspace/accept-invitation";
import { INVITED, InvitationText } from "@/components/workspace/roles";
import type { EmailDestination } from "@/lib/contract/form-state";
import { CheckEmail, ExpiredLink } from "./auth-page";
import { RESET_NOTICE } from "./reset-forms";

const noticeAt = (place: EmailDestination, what = "Open the link in the email to") =>
  renderToStaticMarkup(
    createElement(CheckEmail, {
      sent: { address: "ann@example.com", place },
      what,
      again: "/sign-up",
      resend: { form: "form", pending: false },
    }),
  );

test("an email is said to be in the inbox only where the service sends email", () => {
  for (const place of ["inbox", "late"] as const) expect(noticeAt(place)).toContain("Check your email");
  expect(noticeAt("mailbox")).toMatch(/Check the mailbox.*keeps its emails.*href="\/mailbox"[^>]*>Open the/s);
  const log = noticeAt("log");
  expect(log).toMatch(/Check the service’s log.*ann@example\.com.*no mail server.*New link/s);
  expect(log).not.toMatch(/check your email|we sent|send again|no email,/i);
});

test("the notice of a reset promises no link, because the address may have no account", () => {
  for (const place of ["inbox", "late", "mailbox", "log"] as const) {
    const notice = noticeAt(place, RESET_NOTICE);
    expect(notice).toMatch(/If this address has an account, a link.*ann@example\.com/s);
    expect(notice).not.toMatch(/the link is|link in the log|open the link/i);
  }
});

test("the toast of an invitation says where the email is, and claims no delivery elsewhere", () => {
  expect(INVITED.inbox("ann@example.com")).toBe("Invitation sent to ann@example.com");
  expect(INVITED.late("ann@example.com")).toMatch(/delayed.*ann@example\.com/);
  expect(INVITED.mailbox("ann@example.com")).toMatch(/ann@example\.com.*mailbox/);
  expect(INVITED.log("ann@example.com")).toMatch(/ann@example\.com.*log/);
  for (const place of ["late", "mailbox", "log"] as const) {
    expect(INVITED[place]("ann@example.com")).not.toContain("Invitation sent");
  }
});

const invitation = {
  workspace: { id: "secret-id", name: "Acme" },
  invitedBy: "Ann",
  role: "member",
} as const;

test("an invitation is introduced by the inviter, the workspace and the role, below the name of the product", () => {
  expect(renderToStaticMarkup(createElement(InvitationText, { invitation }))).toBe(
    "Ann invites you to the workspace Acme. Your role: member. ",
  );
  const named = (name: string) => InvitationText({ invitation: { ...invitation, workspace: { name } } });
  for (const own of ["Ann's workspace", "Ann’s workspace"]) {
    expect(named(own)).toBe(`Ann invites you to ${own}. Your role: member. `);
  }
  for (const other of ["Workspaces Inc", "your workspace. Sign in at example.com"]) {
    expect(named(other)).toBe(`Ann invites you to the workspace ${other}. Your role: member. `);
  }
});

test("an invitation that does not work says why, and leads on", () => {
  const closed = (state?: "accepted" | "withdrawn" | "expired") =>
    renderToStaticMarkup(createElement(ClosedInvitation, { state }));
  expect(closed("expired")).toMatch(/This invitation has expired.*open for 7 days.*href="\/dashboard"/s);
  expect(closed("accepted")).toMatch(
    /already used.*in your dashboard\. If not, ask the sender.*href="\/dashboard"/s,
  );
  expect(closed("withdrawn")).toMatch(/This invitation does not work.*withdrawn/s);
  expect(closed()).toMatch(/This invitation does not work.*incomplete/s);
});

test("an emailed link that no longer works leads to a new one with a button, and to signing in at the same invitation", () => {
  const [again, signIn] = ["/sign-up?next=%2Finvite%2Fi1", "/sign-in?next=%2Finvite%2Fi1"];
  const page = renderToStaticMarkup(ExpiredLink({ again, signIn, children: "Sign up again." }));
  expect(page).toMatch(/<a class="[^"]*h-11[^"]*" href="\/sign-up\?next=%2Finvite%2Fi1">Request a new link/);
  expect(page).toContain(`href="${signIn}"`);
});
