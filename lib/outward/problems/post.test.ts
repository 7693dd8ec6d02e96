import { asc, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { createChannel } from "@/lib/outward/problems/channels";
import { postBody, sendTestAlert } from "@/lib/outward/problems/post";
import { database } from "@/lib/platform/db/client";
import { emails, users } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";
import { joinAs, makeAccount } from "@/lib/testing/workspace";

useService();

const url = "https://metacode.example/dashboard/apps/1/alerts";
const hostile = {
  title: 'The pool "<!channel> @everyone **x** <https://evil.example|codes>" is empty',
  detail: "[free](https://evil.example) <@123> `x` & more",
  url,
};

describe("a name chosen by a user is plain text in a chat", () => {
  test("Slack shows no tag, link or mention", () => {
    const { text } = JSON.parse(postBody("slack", hostile));
    expect(text.match(/<[^>]*>/g)).toEqual([`<${url}>`]);
    expect(text).toContain("&lt;!channel&gt;");
    expect(text).toContain("&amp; more");
  });

  test("Mattermost, which reads Markdown in a post for Slack, shows no link or mention", () => {
    const { text } = JSON.parse(postBody("slack", hostile));
    expect(text).not.toMatch(/@\w|\]\(|https?:\/\/evil/);
    expect(text.replaceAll("\u200b", "")).toContain("@everyone **x**");
  });

  test("Discord shows no formatting, link or mention, and the request disallows mentions", () => {
    const body = JSON.parse(postBody("discord", hostile));
    expect(body.allowed_mentions).toEqual({ parse: [] });
    expect(body.content).toContain("\\@everyone \\*\\*x\\*\\*");
    expect(body.content).toContain("\\[free\\]\\(https");
    expect(body.content.endsWith(`<${url}>`)).toBe(true);
  });

  test("a long text is cut at the limit of Discord, and keeps its link", () => {
    const { content } = JSON.parse(postBody("discord", { ...hostile, detail: "x".repeat(5_000) }));
    expect(content.length).toBeLessThanOrEqual(2_000);
    expect(content.endsWith(`<${url}>`)).toBe(true);
  });
});

describe("a test of an email channel", () => {
  const appOf = async () => asTeamMember((await makeTenant()).ctx);
  const testTo = async (ctx: Context, target: string) => {
    const { id } = await createChannel(ctx, { type: "mail", name: "", target, kinds: ["quota"] });
    return () => sendTestAlert(ctx, id);
  };
  const subjectsTo = async (to: string) =>
    (await database().orm.select().from(emails).where(eq(emails.recipient, to)).orderBy(asc(emails.id))).map(
      ({ subject }) => subject,
    );

  test("reaches a mailbox of no member five times a day, of all apps, and its subject names none", async () => {
    const { email } = await makeAccount();
    for (const to of [`${uuidv7()}@example.com`, email]) {
      for (let app = 0; app < 5; app++) await (await testTo(await appOf(), to))();
      const refused = (await testTo(await appOf(), to.toUpperCase()))();
      await expect(refused).rejects.toThrow(
        "This mailbox has received its test emails for today, perhaps from other apps. Try again tomorrow",
      );
      expect(await subjectsTo(to)).toEqual(Array(5).fill("This is a test of an alert channel"));
    }
  });

  test("reaches a member's mailbox five times a day of each app, and names it, once the address is confirmed", async () => {
    const ctx = await appOf();
    const { actor } = await joinAs(ctx.workspace.id, "viewer");
    const [member] = await ctx.db.orm.select().from(users).where(eq(users.id, actor.id));
    const to = member?.email ?? "";
    const confirmedAt = (emailVerifiedAt: Date | null) =>
      ctx.db.orm.update(users).set({ emailVerifiedAt }).where(eq(users.id, actor.id));
    const other = await testTo(await appOf(), to);
    for (let time = 0; time < 5; time++) await other();
    const send = await testTo(ctx, to);
    await confirmedAt(null);
    await expect(send()).rejects.toMatchObject({ code: "CONFLICT" });
    await confirmedAt(new Date());
    for (let time = 0; time < 5; time++) await send();
    await expect(send()).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await subjectsTo(to)).slice(5)).toEqual(Array(5).fill(`${ctx.app.name}: this is a test`));
  });

  test("is sent sixty times an hour by one member, whichever the apps and mailboxes", async () => {
    const { actor } = await appOf();
    const results: string[] = [];
    for (const ctx of [await appOf(), await appOf()]) {
      for (let mailbox = 0; mailbox < 7; mailbox++) {
        const send = await testTo({ ...ctx, actor }, `${uuidv7()}@example.com`);
        for (let time = 0; time < 5; time++)
          results.push(
            await send().then(
              () => "sent",
              (error) => error.message,
            ),
          );
      }
    }
    expect(results.slice(0, 60)).toEqual(Array(60).fill("sent"));
    expect(results.slice(60)).toEqual(
      Array(10).fill(expect.stringMatching(/^Too many attempts\. Try again in /)),
    );
  });
});
