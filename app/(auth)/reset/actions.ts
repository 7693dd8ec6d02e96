"use server";

import { z } from "zod";
import { formAction } from "@/lib/web/session/action";
import { requestReset } from "@/lib/web/session/sign-up";

const fields = z.object({
  email: z.string({ error: "Enter your email address" }),
  next: z.string().optional(),
});

export const requestResetAction = formAction(fields, requestReset);
