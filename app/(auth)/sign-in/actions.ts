"use server";

import { z } from "zod";
import { formAction } from "@/lib/session/action";
import { goElsewhere } from "@/lib/session/go-elsewhere";
import { beginSession } from "@/lib/session/sign-in";

const fields = z.object({
  email: z.string({ error: "Enter your e-mail address" }),
  password: z.string({ error: "Enter your password" }),
  next: z.string().optional(),
});

export const signInAction = formAction(fields, ({ email, password, next }) =>
  beginSession(email, password, next),
);

const elsewhere = z.object({
  provider: z.enum(["github", "google"], { error: "Choose GitHub or Google" }),
  next: z.string().optional(),
});

export const elsewhereAction = formAction(elsewhere, ({ provider, next }) => goElsewhere(provider, next));
