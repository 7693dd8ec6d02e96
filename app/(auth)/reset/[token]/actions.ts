"use server";

import { z } from "zod";
import { formAction } from "@/lib/web/session/action";
import { finishReset } from "@/lib/web/session/sign-up";

const fields = z.object({
  token: z.string().max(100),
  password: z.string({ error: "Choose a password" }),
  next: z.string().optional(),
});

export const resetAction = formAction(fields, finishReset);
