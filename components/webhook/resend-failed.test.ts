import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { SecretDialog } from "@/components/provider/connection-dialogs";
import { RESEND_HOURS } from "@/lib/contract/webhook-events";
import { EndpointMenu } from "./endpoint-menu";
import { ResendForm } from "./resend-failed";

vi.mock("@/components/ui/secret-reveal", () => ({ useSecretReveal: () => vi.fn() }));

test("without a choice, all failed deliveries that still exist are resent, because given-up ones are days old", () => {
  const props = { action: async () => ({}), hidden: {}, close: () => undefined };
  const form = renderToStaticMarkup(createElement(ResendForm, props));
  const chosen = /<option value="([^"]*)" selected=""/.exec(form)?.[1];
  expect(Object.entries(RESEND_HOURS).find(([name]) => name === chosen)?.[1]).toBe(
    Math.max(...Object.values(RESEND_HOURS)),
  );
});

test("the question before another replacement of a secret says that the one before the current one stops at once", () => {
  const hourAway = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const actions = {} as never;
  const ofEndpoint = (formerUntil: Date | null) => {
    const endpoint = { id: "1", url: "https://example.com", enabled: true, formerUntil } as never;
    const menu = EndpointMenu({ appId: "1", endpoint, actions });
    const action = menu.props.actions.find(({ label }: { label: string }) => label === "Replace secret");
    return action.dialog({ open: true, onClose: () => undefined }).props.description;
  };
  const ofConnection = (formerUntil: Date | null, secretFrom: string) =>
    SecretDialog({
      ...{ appId: "1", open: true, onClose: () => undefined, action: async () => ({}) },
      connection: { id: "1", label: "Ours", waiting: false, formerUntil } as never,
      guide: { secretFrom, label: "RevenueCat" } as never,
    }).props.description;
  const questions = (at: Date | null) => [
    ofEndpoint(at),
    ofConnection(at, "us"),
    ofConnection(at, "provider"),
  ];
  for (const question of questions(hourAway(1))) expect(question).toMatch(/still works, stops at once\.$/);
  for (const question of [...questions(null), ...questions(hourAway(-1))])
    expect(question).not.toContain("at once");
});
