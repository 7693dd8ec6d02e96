"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { appAddresses, appInput, iconText } from "@/lib/contract/app";
import { uuidField } from "@/lib/contract/fields";
import { findInApp } from "@/lib/program/search/find-in-app";
import { DEMO_USER_ID } from "@/lib/tenants/accounts/session";
import { createApp } from "@/lib/tenants/apps/create";
import { restoreApp } from "@/lib/tenants/apps/delete";
import { dashboardQuery, formAction, plainAction, workspaceAction } from "@/lib/web/session/action";
import { currentSession } from "@/lib/web/session/current-user";
import { signOut } from "@/lib/web/session/sign-in";

const newApp = z.object({
  workspaceId: uuidField("workspaceId"),
  name: z.string({ error: "name is required" }).pipe(appInput.shape.name),
  storeLink: appAddresses.optional(),
  appleAppId: appInput.shape.appleAppId,
  androidPackage: appInput.shape.androidPackage,
  mode: z.enum(["live", "sandbox"], { error: "Choose a live app or a sandbox" }),
  icon: iconText,
});

export const createAppAction = workspaceAction("admin", newApp, async (ctx, form) => {
  const { workspaceId: _, storeLink = [], mode, icon, ...input } = form;
  const linked = storeLink.map(({ platform, id }) =>
    platform === "ios" ? { appleAppId: id } : { androidPackage: id },
  );
  const app = await createApp(ctx, Object.assign(input, ...linked, { sandbox: mode === "sandbox" }), icon);
  redirect(`/dashboard/apps/${app.id}/start`);
});

export const restoreAppAction = workspaceAction(
  "owner",
  z.object({ workspaceId: uuidField("workspaceId"), appId: uuidField("appId") }),
  (ctx, { appId }) => restoreApp(ctx, appId),
);

export const findInAppAction = dashboardQuery(
  "viewer",
  z.object({ appId: uuidField("appId"), text: z.string({ error: "text is required" }).max(510) }),
  (ctx, { text }) => findInApp(ctx, text),
);

const signingOut = formAction(z.object({}), async () => {
  const session = await currentSession();
  await signOut();
  redirect(session?.id === DEMO_USER_ID ? "/" : "/sign-in");
});

export const signOutAction = plainAction(signingOut);
