import { eq } from "drizzle-orm";
import pLimit from "p-limit";
import { uuidv7 } from "uuidv7";
import { describe, expect, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { findSignedInUser } from "@/lib/tenants/accounts/session";
import { signInWithPassword } from "@/lib/tenants/accounts/sign-in";
import { stopClock } from "@/lib/testing/clock";
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
/** Each test is a separate caller. */
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
    const session = await signInWithPassword(database(), {
      email: ` ${email.toUpperCase()}`,
      password,
      address,
    });
    expect(session).toEqual({ signedIn: { id, sessionVersion: 1 } });
  });

  test("says the same, after the same work, whether the account or the password is wrong", async () => {
    const { email, address } = await account();
    const attempts = [
      { email, password: "wrong horse" },
      { email: "unknown@example.com", password },
      { email: "no address", password },
      { email, password: "x".repeat(5_000) },
    ];
    const before = verified.count;
    const refused = await Promise.all(
      attempts.map((attempt) =>
        signInWithPassword(database(), { ...attempt, address }).catch((error) => error),
      ),
    );
    expect(refused.map(code)).toEqual(attempts.map(() => "UNAUTHORIZED"));
    expect(new Set(refused.map(({ message }) => message)).size).toBe(1);
    expect(verified.count - before).toBe(attempts.length);
  });

  test("looks at no more than 5 passwords of an account from one address, however many come at once", async () => {
    stopClock();
    const { email, address } = await account();
    const before = verified.count;
    const attempt = () =>
      signInWithPassword(database(), { email, password: "wrong horse", address }).catch((error) => error);
    const refused = await Promise.all(Array.from({ length: 50 }, attempt));
    expect(verified.count - before).toBe(5);
    const limited = refused.filter((error) => error.code === "RATE_LIMITED");
    expect(limited).toHaveLength(45);
    expect(limited[0].retryAfter).toBeGreaterThan(0);
    const right = signInWithPassword(database(), { email, password, address });
    await expect(right).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await expect(
      signInWithPassword(database(), { email, password, address: nextAddress() }),
    ).resolves.toBeDefined();
  });

  test("looks at no more than 20 passwords from one address, whatever the accounts", async () => {
    stopClock();
    const address = nextAddress();
    const before = verified.count;
    const attempts = Array.from({ length: 30 }, (_, index) => ({
      email: `user${index}@example.com`,
      password,
    }));
    // More at once would wait for connections on a busy machine.
    const limit = pLimit(8);
    await Promise.allSettled(
      attempts.map((attempt) => limit(() => signInWithPassword(database(), { ...attempt, address }))),
    );
    expect(verified.count - before).toBe(20);
  });

  test("with the right password uses no attempt up", async () => {
    const { id, email, address } = await account();
    for (let time = 0; time < 8; time++) {
      expect(await signInWithPassword(database(), { email, password, address })).toMatchObject({
        signedIn: { id },
      });
    }
  });
});

describe("a session", () => {
  test("is valid until the account's session version is raised", async () => {
    const { id, email, address } = await account();
    const session = { id, sessionVersion: 1 };
    expect(await signInWithPassword(database(), { email, password, address })).toEqual({ signedIn: session });
    expect(await findSignedInUser(database(), session)).toMatchObject({ id, email, workspaces: [] });
    await database().orm.update(users).set({ sessionVersion: 2 }).where(eq(users.id, id));
    expect(await findSignedInUser(database(), session)).toBeUndefined();
    expect(await signInWithPassword(database(), { email, password, address })).toEqual({
      signedIn: { id, sessionVersion: 2 },
    });
  });

  test.each([uuidv7(), "no uuid", ""])("of the account %j has no user", async (id) => {
    expect(await findSignedInUser(database(), { id, sessionVersion: 1 })).toBeUndefined();
  });
});
