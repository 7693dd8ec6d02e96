import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RESEND_HOURS } from "@/lib/contract/webhook-events";
import { ResendForm } from "./resend-failed";

test("without a choice, all failed deliveries that still exist are resent, because given-up ones are days old", () => {
  const props = { action: async () => ({}), hidden: {}, close: () => undefined };
  const form = renderToStaticMarkup(createElement(ResendForm, props));
  const chosen = /<option value="([^"]*)" selected=""/.exec(form)?.[1];
  expect(Object.entries(RESEND_HOURS).find(([name]) => name === chosen)?.[1]).toBe(
    Math.max(...Object.values(RESEND_HOURS)),
  );
});
