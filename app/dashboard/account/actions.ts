"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { uuidField } from "@/lib/contract/fields";
import { deleteAccount } from "@/lib/tenants/account-settings/delete-account";
import { confirmPassword } from "@/lib/tenants/accounts/confirm-password";
import { endSession, endSessions } from "@/lib/tenants/accounts/session";
import { updatePassword } from "@/lib/tenants/accounts/update-password";
import { updateUserName } from "@/lib/tenants/accounts/user";
import { disconnectOAuth } from "@/lib/tenants/oauth/connect";
import { disableTwoFactor, renewRecoveryCodes } from "@/lib/tenants/two-factor/disable";
import { enableTwoFactor, startTwoFactorSetup } from "@/lib/tenants/two-factor/enable";
import { userAction } from "@/lib/web/session/action";
import { currentSession } from "@/lib/web/session/current-user";
import { ACCOUNT_PAGE } from "@/lib/web/session/paths";
import { currentCaller, signOut, startSession } from "@/lib/web/session/sign-in";
import { requestReset } from "@/lib/web/session/sign-up";
import { startOAuthSignIn } from "@/lib/web/session/start-oauth";

const password = z.string().max(1_000).optional();
const code = z.string({ error: "Enter a code" }).max(100);
const provider = z.enum(["github", "google"], { error: "Choose GitHub or Google" });

const name = z.object({ name: z.string({ error: "Enter your name" }), seen: z.string().optional() });
export const updateUserNameAction = userAction(name, async (db, { id }, input) =>
  updateUserName(db, id, { ...input, ...(await currentCaller()) }),
);

const change = z.object({
  password: z.string({ error: "Enter your current password" }).max(1_000),
  newPassword: z.string({ error: "Choose a new password" }),
});
export const updatePasswordAction = userAction(change, async (db, { id }, input) => {
  await startSession(await updatePassword(db, id, { ...input, ...(await currentCaller()) }));
});

export const sendPasswordLinkAction = userAction(z.object({}), (_, { email }) => requestReset({ email }));

export const signOutEverywhereAction = userAction(z.object({}), async (db, { id }) => {
  const { sessionId = "", address } = await currentCaller();
  await startSession(await endSessions(db, { userId: id, sessionId, address }));
});

const ending = z.object({ sessionId: uuidField("sessionId") });
export const endSessionAction = userAction(ending, async (db, { id: userId }, { sessionId }) => {
  const { address } = await currentCaller();
  await endSession(db, { userId, sessionId, address });
});

export const startTwoFactorAction = userAction(z.object({ password }), async (db, { id }, input) =>
  startTwoFactorSetup(db, id, { ...input, ...(await currentCaller()) }),
);

export const enableTwoFactorAction = userAction(z.object({ code }), async (db, { id }, input) => {
  const { recoveryCodes, account } = await enableTwoFactor(db, id, { ...input, ...(await currentCaller()) });
  await startSession(account);
  return { recoveryCodes };
});

const factors = z.object({ password, code });
export const disableTwoFactorAction = userAction(factors, async (db, { id }, input) =>
  disableTwoFactor(db, id, { ...input, ...(await currentCaller()) }),
);
export const renewRecoveryCodesAction = userAction(factors, async (db, { id }, input) =>
  renewRecoveryCodes(db, id, { ...input, ...(await currentCaller()) }),
);

const connection = z.object({ provider, password });
export const connectAction = userAction(connection, async (db, { id }, input) => {
  await confirmPassword(db, id, input.password, await currentCaller());
  return startOAuthSignIn(input.provider, ACCOUNT_PAGE, await currentSession());
});
export const disconnectAction = userAction(connection, async (db, { id }, input) =>
  disconnectOAuth(db, id, { ...input, ...(await currentCaller()) }),
);

const deletion = z.object({
  confirm: z.string({ error: "Type your email address" }),
  password,
  code: code.optional(),
});
export const deleteAccountAction = userAction(deletion, async (db, { id }, input) => {
  await deleteAccount(db, id, { ...input, ...(await currentCaller()) });
  await signOut();
  redirect("/sign-in?done=deleted");
});
