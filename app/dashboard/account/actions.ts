"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { changeName } from "@/lib/accounts/change-name";
import { changePassword } from "@/lib/accounts/change-password";
import { deleteAccount } from "@/lib/accounts/delete-account";
import { disconnect } from "@/lib/accounts/disconnect";
import { endSessions } from "@/lib/accounts/end-sessions";
import { provePassword } from "@/lib/accounts/prove-password";
import { requestReset } from "@/lib/accounts/request-reset";
import { personAction } from "@/lib/session/action";
import { goElsewhere } from "@/lib/session/go-elsewhere";
import { ACCOUNT_PAGE } from "@/lib/session/pages";
import { endSession, keepSession, presentSession, visitorAddress } from "@/lib/session/sign-in";
import { beginTwoFactor } from "@/lib/two-factor/begin";
import { disableTwoFactor, renewRecoveryCodes } from "@/lib/two-factor/disable";
import { enableTwoFactor } from "@/lib/two-factor/enable";

const password = z.string().max(1_000).optional();
const code = z.string({ error: "Enter a code" }).max(100);
const provider = z.enum(["github", "google"], { error: "Choose GitHub or Google" });

const name = z.object({ name: z.string({ error: "Enter your name" }) });
export const changeNameAction = personAction(name, (db, { id }, input) => changeName(db, id, input));

const change = z.object({
  password: z.string({ error: "Enter your present password" }).max(1_000),
  newPassword: z.string({ error: "Choose a new password" }),
});
export const changePasswordAction = personAction(change, async (db, { id }, input) => {
  await keepSession(await changePassword(db, id, { ...input, address: await visitorAddress() }));
});

export const mailPasswordAction = personAction(z.object({}), async (db, { email }) =>
  requestReset(db, { email, address: await visitorAddress() }),
);

export const signOutEverywhereAction = personAction(z.object({}), async (db, { id }) => {
  await keepSession(await endSessions(db, id));
});

export const beginTwoFactorAction = personAction(z.object({ password }), async (db, { id }, input) =>
  beginTwoFactor(db, id, { ...input, address: await visitorAddress() }),
);

export const enableTwoFactorAction = personAction(z.object({ code }), (db, { id }, input) =>
  enableTwoFactor(db, id, input),
);

const factors = z.object({ password, code });
export const disableTwoFactorAction = personAction(factors, async (db, { id }, input) =>
  disableTwoFactor(db, id, { ...input, address: await visitorAddress() }),
);
export const renewRecoveryCodesAction = personAction(factors, async (db, { id }, input) =>
  renewRecoveryCodes(db, id, { ...input, address: await visitorAddress() }),
);

const connection = z.object({ provider, password });
export const connectAction = personAction(connection, async (db, { id }, input) => {
  await provePassword(db, id, input.password, await visitorAddress());
  return goElsewhere(input.provider, ACCOUNT_PAGE, await presentSession());
});
export const disconnectAction = personAction(z.object({ provider }), (db, { id }, input) =>
  disconnect(db, id, input.provider),
);

const deletion = z.object({
  confirm: z.string({ error: "Type your e-mail address" }),
  password,
  code: code.optional(),
});
export const deleteAccountAction = personAction(deletion, async (db, { id }, input) => {
  await deleteAccount(db, id, { ...input, address: await visitorAddress() });
  await endSession();
  redirect("/sign-in?done=deleted");
});
