import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { env } from "@/lib/platform/env";
import { seal, unseal } from "@/lib/tenants/two-factor/seal";
import { useService } from "@/lib/testing/service";

useService({ AUTH_SECRET: "s".repeat(32) });

test("a sealed secret is unsealed for its own user and secret, and only unchanged", () => {
  const [userId, otherId] = [uuidv7(), uuidv7()];
  const plain = Buffer.from("twenty bytes, secret");
  const sealed = seal(plain, userId);
  expect(seal(plain, userId).equals(sealed)).toBe(false);
  expect(unseal(sealed, userId)).toEqual(plain);
  expect(() => unseal(sealed, otherId)).toThrow();
  for (let at = 0; at < sealed.length; at += 7) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unseal(changed, userId)).toThrow();
  }
  const settings = env();
  settings.AUTH_SECRET = "t".repeat(32);
  expect(() => unseal(sealed, userId)).toThrow();
  settings.AUTH_SECRET = "s".repeat(32);
});
