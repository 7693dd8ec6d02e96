import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { EditChannelForm } from "@/components/alert/channel-menu";
import { OwnNamesDialog } from "@/components/provider/connection-dialogs";
import { MetacodeForm } from "@/components/referrer/referrer-forms";
import { RenameWorkspaceForm } from "@/components/workspace/name-forms";
import { SEEN_FIELD } from "@/lib/contract/form-state";
import { ALERT_GROUPS, type ChannelView } from "@/lib/contract/problems";
import type { ConnectionView, ProviderGuide } from "@/lib/contract/provider";

vi.mock("next/navigation", async (original) => ({ ...(await original()), useRouter: () => ({}) }));

const action = async () => ({});
const onClose = () => undefined;

const channel = { id: "1", name: "On call", label: "On call", masked: "x", kinds: ["quota"] } as ChannelView &
  object;
const connection = {
  id: "1",
  label: "Adapty",
  ownNames: { events: { Kauf: "trial_started" }, userIdKey: null },
} as unknown as ConnectionView;
const guide = { label: "Adapty", ownNames: ["events"], events: [] } as unknown as ProviderGuide;

const FORMS: [name: string, form: ReactElement, seen: object][] = [
  [
    "an alert channel",
    createElement(EditChannelForm, { action, channel, hidden: {}, onClose }),
    { name: "On call", kinds: ["quota"] },
  ],
  [
    "event names",
    createElement(OwnNamesDialog, { action, connection, guide, appId: "1", open: true, onClose }),
    { events: "Kauf = trial_started" },
  ],
  [
    "a metacode",
    createElement(MetacodeForm, {
      action,
      check: action,
      appId: "1",
      referrerId: "1",
      metacode: "anna1",
    }),
    { metacode: "anna1" },
  ],
  [
    "the name of a workspace",
    createElement(RenameWorkspaceForm, { action, workspaceId: "1", name: "Acme" }),
    { name: "Acme" },
  ],
];

test.each(FORMS)("the form of %s sends the values with which it was opened", (_, form, seen) => {
  const field = new RegExp(`name="${SEEN_FIELD}" value="([^"]*)"`).exec(renderToStaticMarkup(form));
  expect(JSON.parse((field?.[1] ?? "null").replaceAll("&quot;", '"'))).toEqual(seen);
});

test("the choices of a group are named by its heading, whose checkbox is described by their count", () => {
  const shown = renderToStaticMarkup(
    createElement(EditChannelForm, { action, channel, hidden: {}, onClose }),
  );
  const named = [...shown.matchAll(/<div[^>]* role="group" aria-labelledby="([^"]+)"/g)].map(([, id]) => {
    return new RegExp(`aria-describedby="${id}-count"[^>]*/><span id="${id}">([^<]+)</span></label>`).exec(
      shown,
    )?.[1];
  });
  expect(named).toEqual(Object.keys(ALERT_GROUPS));
});
