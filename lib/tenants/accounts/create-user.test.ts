import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { useService } from "@/lib/testing/service";

useService();

const ann = { email: "ann@example.com", name: "Ann", password: "correct horse" };
const stored = (email: string) => database().orm.select().from(users).where(eq(users.email, email));

describe("a new account", () => {
  test("is stored under its trimmed, lower-case address, with an argon2id hash in place of the password", async () => {
    const { id } = await createUser(database(), { ...ann, email: "  Ann.Lee@Example.COM " });
    const [user] = await stored("ann.lee@example.com");
    expect(user).toMatchObject({ id, name: "Ann", sessionVersion: 1 });
    expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(user)).not.toContain(ann.password);
  });

  test("is created once, however many requests for the address come at once", async () => {
    const email = "many@example.com";
    const tries = await Promise.allSettled(
      ["many@example.com", "MANY@example.com", "Many@Example.com"].map((email) =>
        createUser(database(), { ...ann, email }),
      ),
    );
    const refused = tries.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(refused.map(({ code, field }) => [code, field])).toEqual([
      ["CONFLICT", "email"],
      ["CONFLICT", "email"],
    ]);
    expect(await stored(email)).toHaveLength(1);
  });

  test.each([
    ["email", { email: "ann" }],
    ["email", { email: `${"a".repeat(250)}@example.com` }],
    ["name", { name: "  " }],
    ["password", { password: "too short" }],
    ["password", { password: "x".repeat(201) }],
  ])("with a bad %s is refused by that name", async (field, wrong) => {
    const email = "refused@example.com";
    const attempt = createUser(database(), { ...ann, email, ...wrong });
    await expect(attempt).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
    expect(await stored(email)).toEqual([]);
  });
});
