import { uuidv7 } from "uuidv7";
import { parseEmail } from "@/lib/accounts/email";
import { hashPassword, requirePassword } from "@/lib/accounts/password";
import { hasControl } from "@/lib/contract/text";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

interface NewUser {
  email: string;
  name: string;
  /** 10 to 200 characters, any. */
  password: string;
}

/** What a person may be called: 1 to 100 characters, or VALIDATION_ERROR. */
export function parsePersonName(text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= 100 && !hasControl(name) && name.isWellFormed()) return name;
  return fail("VALIDATION_ERROR", "name must have 1 to 100 characters", { field: "name" });
}

/**
 * Makes an account that can sign in; the operator answers for its address. Throws VALIDATION_ERROR with the field's name, and CONFLICT where the address
 * has an account already; of several at once one wins.
 */
export async function createUser(db: Db, input: NewUser): Promise<{ id: string }> {
  const email = parseEmail(input.email);
  const name = parsePersonName(input.name);
  const { password } = input;
  requirePassword(password);
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
  return user ?? fail("CONFLICT", "This e-mail address has an account already", { field: "email" });
}
