import { uuidv7 } from "uuidv7";
import { parseEmail } from "@/lib/accounts/email";
import { hashPassword, PASSWORD_MAX, PASSWORD_MIN } from "@/lib/accounts/password";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

export interface NewUser {
  email: string;
  name: string;
  /** 10 to 200 characters, any. */
  password: string;
}

/**
 * Makes an account that can sign in. Throws VALIDATION_ERROR with the field's name, and CONFLICT where the address
 * has an account already; of several at once one wins.
 */
export async function createUser(db: Db, input: NewUser): Promise<{ id: string }> {
  const email = parseEmail(input.email);
  const name = input.name.trim();
  if (name === "" || name.length > 100) {
    fail("VALIDATION_ERROR", "name must have 1 to 100 characters", { field: "name" });
  }
  const { password } = input;
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) {
    const message = `password must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`;
    fail("VALIDATION_ERROR", message, { field: "password" });
  }
  const [user] = await db.orm
    .insert(users)
    .values({ id: uuidv7(), email, name, passwordHash: await hashPassword(password) })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id });
  return user ?? fail("CONFLICT", "This e-mail address has an account already", { field: "email" });
}
