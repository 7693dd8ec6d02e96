import { uuidv7 } from "uuidv7";
import type { Db } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseEmail } from "./email-address";
import { hashPassword } from "./password";
import { requireGoodPassword } from "./password-strength";
import { parseUserName } from "./user";

interface NewUser {
  email: string;
  name: string;
  /** 10 to 200 characters, not easy to guess. */
  password: string;
}

/**
 * Creates an account whose email address counts as verified: for commands and tests. Throws VALIDATION_ERROR with the
 * field's name, and CONFLICT for an address that has an account; of several parallel calls one succeeds.
 */
export async function createUser(db: Db, input: NewUser): Promise<{ id: string }> {
  const email = parseEmail(input.email);
  const name = parseUserName(input.name);
  const { password } = input;
  await requireGoodPassword(password, { email, name });
  const [user] = await db.orm
    .insert(users)
    .values({
      id: uuidv7(),
      email,
      name,
      passwordHash: await hashPassword(password),
      emailVerifiedAt: new Date(),
    })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id });
  return user ?? fail("CONFLICT", "This email address already has an account", { field: "email" });
}
