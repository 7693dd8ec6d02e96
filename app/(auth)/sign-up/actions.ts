"use server";

import { z } from "zod";
import { formAction } from "@/lib/web/session/action";
import { startSignUp } from "@/lib/web/session/sign-up";

const fields = z.object({
  name: z.string({ error: "Enter your name" }),
  email: z.string({ error: "Enter your email address" }),
  password: z.string({ error: "Choose a password" }),
  next: z.string().optional(),
});

export const signUpAction = formAction(fields, startSignUp);
