"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { formAction } from "@/lib/session/action";
import { returnPath } from "@/lib/session/return-path";
import { beginSession } from "@/lib/session/sign-in";

const fields = z.object({
  email: z.string({ error: "Enter your e-mail address" }),
  password: z.string({ error: "Enter your password" }),
  next: z.string().optional(),
});

export const signInAction = formAction(fields, async ({ email, password, next }) => {
  await beginSession(email, password);
  redirect(returnPath(next));
});
