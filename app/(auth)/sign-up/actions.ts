"use server";

import { z } from "zod";
import { formAction } from "@/lib/session/action";
import { beginAccount } from "@/lib/session/newcomer";

const fields = z.object({
  name: z.string({ error: "Enter your name" }),
  email: z.string({ error: "Enter your e-mail address" }),
  password: z.string({ error: "Choose a password" }),
  next: z.string().optional(),
});

export const signUpAction = formAction(fields, beginAccount);
