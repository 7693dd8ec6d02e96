"use server";

import { z } from "zod";
import { formAction } from "@/lib/web/session/action";
import { finishReset, requestReset } from "@/lib/web/session/sign-up";

const request = z.object({
  email: z.string({ error: "Enter your email address" }),
  next: z.string().optional(),
});

export const requestResetAction = formAction(request, requestReset);

const reset = z.object({
  token: z.string().max(100),
  password: z.string({ error: "Choose a password" }),
  next: z.string().optional(),
});

export const resetAction = formAction(reset, finishReset);
