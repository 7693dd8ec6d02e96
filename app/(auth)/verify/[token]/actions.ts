"use server";

import { z } from "zod";
import { formAction } from "@/lib/session/action";
import { finishAccount } from "@/lib/session/newcomer";

const fields = z.object({
  token: z.string().max(100),
  password: z.string({ error: "Enter your password" }),
  next: z.string().optional(),
});

export const verifyAction = formAction(fields, finishAccount);
