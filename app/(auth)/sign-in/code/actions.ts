"use server";

import { z } from "zod";
import { formAction } from "@/lib/web/session/action";
import { finishSignInAndRedirect } from "@/lib/web/session/sign-in";

const fields = z.object({
  code: z.string({ error: "Enter a code" }).max(100),
  next: z.string().optional(),
});

export const finishSignInAction = formAction(fields, ({ code, next }) => finishSignInAndRedirect(code, next));
