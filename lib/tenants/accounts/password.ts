import { hash, verify } from "@node-rs/argon2";
import { singleton } from "@/lib/platform/singleton";

/** OWASP's first choice for argon2id: 19 MiB, two passes; about 20 ms on a thread of the pool. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Longer passwords are refused before hashing. */
export const PASSWORD_MAX = 200;

/** argon2id in PHC format, with its own salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Stands in for a missing account, so that the answer takes as long as for a real one. */
function dummyHash(): Promise<string> {
  return singleton("accounts.dummy-hash", () => hash("no account has this password", COST));
}

/** Whether the password is the account's. Undefined (no account) gives false after the same work. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const right = await verify(passwordHash ?? (await dummyHash()), password);
  return right && passwordHash !== undefined;
}
