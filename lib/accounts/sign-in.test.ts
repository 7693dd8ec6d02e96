import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test, vi } from "vitest";
import { createUser } from "@/lib/accounts/create-user";
import { findPerson } from "@/lib/accounts/find-person";
import { signIn } from "@/lib/accounts/sign-in";
import { database } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { useService } from "@/lib/testing/service";

const verified = vi.hoisted(() => ({ count: 0 }));
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof import("@node-rs/argon2")>();
  const verify: typeof real.verify = (...words) => {
    verified.count += 1;
    return real.verify(...words);
  };
  return { ...real, verify };
});

useService();

let last = 0;
/** Each test is a caller of its own. */
const nextAddress = () => `192.0.2.${++last}`;
const password = "correct horse";

async function account() {
  const email = `${uuidv7()}@example.com`;
  const { id } = await createUser(database(), { email, name: "Ann", password });
  return { id, email, address: nextAddress() };
}

const code = (error: { code: string }) => error.code;

describe("signing in", () => {
  test("takes the address in any case, and the very password", async () => {
    const { id, email, address } = await account();
    const session = await signIn(database(), { email: ` ${email.toUpperCase()}`, password, address });
    expect(session).toEqual({ signedIn: { id, sessionVersion: 1 } });
  });

  test("says the same, after the same work, whether the account or the password is wrong", async () => {
    const { email, address } = await account();
    const attempts = [
      { email, password: "wrong horse" },
      { email: "nobody@example.com", password },
      { email: "no address", password },
      { email, password: "x".repeat(5_000) },
    ];
    const before = verified.count;
    const refused = await Promise.all(
      attempts.map((attempt) => signIn(database(), { ...attempt, address }).catch((error) => error)),
    );
    expect(refused.map(code)).toEqual(attempts.map(() => "UNAUTHORIZED"));
    expect(new Set(refused.map(({ message }) => message)).size).toBe(1);
    expect(verified.count - before).toBe(attempts.length);
  });

  test("looks at no more than 5 passwords of an account from one address, however many come at once", async () => {
    const { email, address } = await account();
    const before = verified.count;
    const attempt = () =>
      signIn(database(), { email, password: "wrong horse", address }).catch((error) => error);
    const refused = await Promise.all(Array.from({ length: 50 }, attempt));
    expect(verified.count - before).toBe(5);
    const limited = refused.filter((error) => error.code === "RATE_LIMITED");
    expect(limited).toHaveLength(45);
    expect(limited[0].retryAfter).toBeGreaterThan(0);
    const right = signIn(database(), { email, password, address });
    await expect(right).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await expect(signIn(database(), { email, password, address: nextAddress() })).resolves.toBeDefined();
  });

  test("looks at no more than 20 passwords from one address, whatever the accounts", async () => {
    const address = nextAddress();
    const before = verified.count;
    const attempts = Array.from({ length: 30 }, (_, index) => ({
      email: `user${index}@example.com`,
      password,
    }));
    await Promise.allSettled(attempts.map((attempt) => signIn(database(), { ...attempt, address })));
    expect(verified.count - before).toBe(20);
  });

  test("with the right password uses no attempt up", async () => {
    const { id, email, address } = await account();
    for (let time = 0; time < 8; time++) {
      expect(await signIn(database(), { email, password, address })).toMatchObject({ signedIn: { id } });
    }
  });
});

describe("a session", () => {
  test("stands for its person until the account's session version is raised", async () => {
    const { id, email, address } = await account();
    const session = { id, sessionVersion: 1 };
    expect(await signIn(database(), { email, password, address })).toEqual({ signedIn: session });
    expect(await findPerson(database(), session)).toMatchObject({ id, email, workspaces: [] });
    await database().orm.update(users).set({ sessionVersion: 2 }).where(eq(users.id, id));
    expect(await findPerson(database(), session)).toBeUndefined();
    expect(await signIn(database(), { email, password, address })).toEqual({
      signedIn: { id, sessionVersion: 2 },
    });
  });

  test.each([uuidv7(), "no uuid", ""])("of the account %j is nobody's", async (id) => {
    expect(await findPerson(database(), { id, sessionVersion: 1 })).toBeUndefined();
  });
});
