"use server";

import { z } from "zod";
import { formAction, plainAction } from "@/lib/web/session/action";
import { enterDemo, signInAndRedirect } from "@/lib/web/session/sign-in";
import { startOAuthSignIn } from "@/lib/web/session/start-oauth";

const fields = z.object({
  email: z.string({ error: "Enter your email address" }),
  password: z.string({ error: "Enter your password" }),
  next: z.string().optional(),
});

export const signInAction = formAction(fields, ({ email, password, next }) =>
  signInAndRedirect(email, password, next),
);

const oauth = z.object({
  provider: z.enum(["github", "google"], { error: "Choose GitHub or Google" }),
  next: z.string().optional(),
});

export const oauthAction = formAction(oauth, ({ provider, next }) => startOAuthSignIn(provider, next));

const opening = formAction(z.object({}), enterDemo);

export const enterDemoAction = plainAction(opening);
