"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { appInput } from "@/lib/contract/app";
import { uuidField } from "@/lib/contract/fields";
import { findEndUsers } from "@/lib/program/referrers/find";
import { createApp } from "@/lib/tenants/apps/create";
import { restoreApp } from "@/lib/tenants/apps/delete";
import { dashboardQuery, formAction, plainAction, workspaceAction } from "@/lib/web/session/action";
import { signOut } from "@/lib/web/session/sign-in";

const newApp = z.object({
  workspaceId: uuidField("workspaceId"),
  name: z.string({ error: "name is required" }).pipe(appInput.shape.name),
  appleAppId: appInput.shape.appleAppId,
  androidPackage: appInput.shape.androidPackage,
  sandbox: z.literal("on").optional(),
});

export const createAppAction = workspaceAction("admin", newApp, async (ctx, { workspaceId: _, ...input }) => {
  const app = await createApp(ctx, { ...input, sandbox: input.sandbox === "on" });
  redirect(`/dashboard/apps/${app.id}`);
});

export const restoreAppAction = workspaceAction(
  "owner",
  z.object({ workspaceId: uuidField("workspaceId"), appId: uuidField("appId") }),
  (ctx, { appId }) => restoreApp(ctx, appId),
);

export const findEndUsersAction = dashboardQuery(
  "viewer",
  z.object({ appId: uuidField("appId"), text: z.string({ error: "text is required" }).max(200) }),
  (ctx, { text }) => findEndUsers(ctx, text),
);

const signingOut = formAction(z.object({}), async () => {
  await signOut();
  redirect("/sign-in");
});

export const signOutAction = plainAction(signingOut);
