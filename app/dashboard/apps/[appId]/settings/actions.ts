"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { appAccent, appIdentity, appRetention, appRules, iconText } from "@/lib/contract/app";
import { appDomain } from "@/lib/contract/domain";
import { inApp, uidField } from "@/lib/contract/fields";
import { ownTextsInput } from "@/lib/contract/landing-form";
import { updateIdentity } from "@/lib/program/app-store-connect/store-key";
import { simulateConfirmation } from "@/lib/program/confirmations/simulate";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { exportEndUser } from "@/lib/program/end-users/export";
import { createTwin } from "@/lib/program/sandbox/create-twin";
import { resetSandbox } from "@/lib/program/sandbox/reset";
import { updateOwnTexts } from "@/lib/program/texts/own-texts";
import { deleteApp } from "@/lib/tenants/apps/delete";
import { updateIcon } from "@/lib/tenants/apps/icon";
import { updateApp } from "@/lib/tenants/apps/update";
import { updateDomain } from "@/lib/tenants/domains/update-domain";
import { verifyDomain } from "@/lib/tenants/domains/verify-domain";
import { dashboardAction } from "@/lib/web/session/action";

const endUser = z.object({ ...inApp, uid: uidField("uid") });

export const updateIdentityAction = dashboardAction(
  "admin",
  appIdentity.extend(inApp),
  (ctx, { appId, ...changes }) => updateIdentity(ctx, changes),
);

export const updateAccentAction = dashboardAction(
  "admin",
  appAccent.extend(inApp),
  (ctx, { appId, ...changes }) => updateApp(ctx, changes),
);

export const updateTextsAction = dashboardAction(
  "admin",
  ownTextsInput.extend(inApp),
  (ctx, { appId, ...texts }) => updateOwnTexts(ctx, texts),
);

export const updateRulesAction = dashboardAction(
  "admin",
  appRules.extend(inApp),
  (ctx, { appId, ...changes }) => updateApp(ctx, changes),
);

export const updateRetentionAction = dashboardAction(
  "admin",
  appRetention.extend(inApp),
  (ctx, { appId, ...changes }) => updateApp(ctx, changes),
);

export const updateDomainAction = dashboardAction(
  "admin",
  appDomain.extend(inApp),
  (ctx, { landingDomain }) => updateDomain(ctx, landingDomain ?? null),
);

export const verifyDomainAction = dashboardAction("admin", z.object(inApp), verifyDomain);

export const updateIconAction = dashboardAction(
  "admin",
  z.object({ ...inApp, icon: iconText }),
  (ctx, { icon }) => updateIcon(ctx, icon ?? null),
);

export const exportEndUserAction = dashboardAction("owner", endUser, (ctx, { uid }) =>
  exportEndUser(ctx, uid),
);

export const eraseEndUserAction = dashboardAction("owner", endUser, (ctx, { uid }) => eraseEndUser(ctx, uid));

export const createTwinAction = dashboardAction("admin", z.object(inApp), async (ctx) => {
  const { id } = await createTwin(ctx);
  redirect(`/dashboard/apps/${id}`);
});

export const resetSandboxAction = dashboardAction("admin", z.object(inApp), resetSandbox);

export const simulateAction = dashboardAction(
  "member",
  z.object({
    ...inApp,
    refereeUid: uidField("refereeUid"),
    kind: z.enum(["confirm", "reverse"], { error: "kind must be 'confirm' or 'reverse'" }),
  }),
  simulateConfirmation,
);

export const deleteAppAction = dashboardAction("owner", z.object(inApp), async (ctx) => {
  await deleteApp(ctx);
  redirect("/dashboard");
});
