"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { openApp } from "@/lib/accounts/open-app";
import { appInput } from "@/lib/contract/app";
import { formAction, personAction } from "@/lib/session/action";
import { endSession } from "@/lib/session/sign-in";

const newApp = z.object({
  workspaceId: z.uuid({ error: "workspaceId must be a UUID" }),
  name: z.string({ error: "name is required" }).pipe(appInput.shape.name),
  appleAppId: appInput.shape.appleAppId,
  androidPackage: appInput.shape.androidPackage,
  sandbox: z.literal("on").optional(),
});

export const createAppAction = personAction(newApp, async (db, person, { workspaceId, ...input }) => {
  const app = await openApp(db, person, workspaceId, { ...input, sandbox: input.sandbox === "on" });
  redirect(`/dashboard/apps/${app.id}`);
});

const signOutForm = formAction(z.object({}), async () => {
  await endSession();
  redirect("/sign-in");
});

export async function signOutAction(form: FormData): Promise<void> {
  await signOutForm({}, form);
}
