import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { EmailDestination } from "@/lib/contract/form-state";
import { CheckEmail } from "./auth-page";

const noticeAt = (place: EmailDestination) =>
  renderToStaticMarkup(
    createElement(CheckEmail, {
      sent: { address: "ann@example.com", place },
      what: "Open the link in the email to",
      again: "/sign-up",
      resend: { form: "form", pending: false },
    }),
  );

test("an email is said to be in the inbox only where the service sends email", () => {
  for (const place of ["inbox", "late"] as const) expect(noticeAt(place)).toContain("Check your email");
  expect(noticeAt("mailbox")).toMatch(/Check the mailbox.*href="\/mailbox"/s);
  const log = noticeAt("log");
  expect(log).toMatch(/The link is in the log.*ann@example\.com.*no mail server.*New link/s);
  expect(log).not.toMatch(/check your email|we sent|send again|no email,/i);
});
