import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { addChannel } from "@/lib/alerts/change-channel";
import { testChannel } from "@/lib/alerts/test-channel";
import { database } from "@/lib/db/client";
import { mails } from "@/lib/db/schema";
import { useService } from "@/lib/testing/service";
import { asPerson } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";

useService();

test("a mailbox gets five tests a day, whoever clicks", async () => {
  const ctx = asPerson((await makeTenant()).ctx);
  const target = `${uuidv7()}@example.com`;
  const { id } = await addChannel(ctx, { type: "mail", name: "", target, kinds: ["quota"] });
  for (let time = 0; time < 5; time++) await testChannel(ctx, id);
  await expect(testChannel(ctx, id)).rejects.toThrow(expect.objectContaining({ code: "CONFLICT" }));
  expect(await database().orm.$count(mails, eq(mails.recipient, target))).toBe(5);
});
