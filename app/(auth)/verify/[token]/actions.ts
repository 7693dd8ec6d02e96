"use server";

import { z } from "zod";
import { formAction } from "@/lib/web/session/action";
import { finishSignUp } from "@/lib/web/session/sign-up";

const fields = z.object({
  token: z.string().max(100),
  password: z.string({ error: "Enter your password" }),
  next: z.string().optional(),
});

export const verifyAction = formAction(fields, finishSignUp);
