"use server";

import { z } from "zod";
import { formAction } from "@/lib/session/action";
import { askReset } from "@/lib/session/newcomer";

const fields = z.object({ email: z.string({ error: "Enter your e-mail address" }) });

export const askResetAction = formAction(fields, ({ email }) => askReset(email));
