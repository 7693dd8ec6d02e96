"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { createTwin } from "@/lib/apps/create-twin";
import { deleteApp } from "@/lib/apps/delete";
import { resetSandbox } from "@/lib/apps/reset-sandbox";
import { setIcon } from "@/lib/apps/set-icon";
import { updateApp } from "@/lib/apps/update";
import { simulateConfirmation } from "@/lib/confirmations/simulate";
import { appAccent, appIdentity, appRetention, appRules } from "@/lib/contract/app";
import { appDomain } from "@/lib/contract/domain";
import { uidField } from "@/lib/contract/fields";
import { ownTextsInput } from "@/lib/contract/landing-form";
import { uuidField } from "@/lib/contract/uuid";
import { setDomain } from "@/lib/domains/set-domain";
import { verifyDomain } from "@/lib/domains/verify-domain";
import { saveTexts } from "@/lib/landing/save-texts";
import { erasePerson } from "@/lib/people/erase";
import { exportPerson } from "@/lib/people/export";
import { dashboardAction } from "@/lib/session/action";

const inApp = { appId: uuidField("appId") };
const person = z.object({ ...inApp, uid: uidField("uid") });

export const saveIdentityAction = dashboardAction(
  "admin",
  appIdentity.extend(inApp),
  (ctx, { appId, ...changes }) => updateApp(ctx, changes),
);

export const saveAccentAction = dashboardAction(
  "admin",
  appAccent.extend(inApp),
  (ctx, { appId, ...changes }) => updateApp(ctx, changes),
);

export const saveTextsAction = dashboardAction(
  "admin",
  ownTextsInput.extend(inApp),
  (ctx, { appId, ...texts }) => saveTexts(ctx, texts),
);

export const saveRulesAction = dashboardAction(
  "admin",
  appRules.extend(inApp),
  (ctx, { appId, ...changes }) => updateApp(ctx, changes),
);

export const saveRetentionAction = dashboardAction(
  "admin",
  appRetention.extend(inApp),
  (ctx, { appId, ...changes }) => updateApp(ctx, changes),
);

export const setDomainAction = dashboardAction("admin", appDomain.extend(inApp), (ctx, { landingDomain }) =>
  setDomain(ctx, landingDomain ?? null),
);

export const verifyDomainAction = dashboardAction("admin", z.object(inApp), verifyDomain);

export const setIconAction = dashboardAction(
  "admin",
  z.object({ ...inApp, icon: z.string().max(300_000, { error: "icon must be at most 200 kB" }).optional() }),
  (ctx, { icon }) => setIcon(ctx, icon ?? null),
);

export const exportPersonAction = dashboardAction("owner", person, (ctx, { uid }) => exportPerson(ctx, uid));

export const erasePersonAction = dashboardAction("owner", person, (ctx, { uid }) => erasePerson(ctx, uid));

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
