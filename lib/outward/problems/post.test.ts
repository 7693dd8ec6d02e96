import { asc, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createChannel } from "@/lib/outward/problems/channels";
import { alertQueue, postBody, queuePost, sendTestAlert } from "@/lib/outward/problems/post";
import { database } from "@/lib/platform/db/client";
import { alertPosts, emails, users } from "@/lib/platform/db/schema";
import { runQueue } from "@/lib/platform/jobs/queue";
import type { Context } from "@/lib/tenants/context";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";
import { startReceiver } from "@/lib/testing/webhooks/receiver";
import { joinAs, makeAccount } from "@/lib/testing/workspace";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

const url = "https://metacode.example/dashboard/apps/1/alerts";
const hostile = {
  title: 'The pool "<!channel> @everyone **x** <https://evil.example|codes>" is empty',
  detail: "[free](https://evil.example) HTTP://evil.example www.evil.example <@123> `x` & more",
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
    expect(body.content.match(/https?:\/\/[^\s>]*|www\.\S*/g)).toEqual([url]);
    expect(body.content.endsWith(`\n<${url}>`)).toBe(true);
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

describe("alerts that wait for a chat", () => {
  const queue = () => alertQueue(database());

  /** Channels of a new app, and a function that queues an alert for each. */
  async function channelsTo(target: string, count = 1) {
    const ctx = asTeamMember((await makeTenant()).ctx);
    const channels: string[] = [];
    for (let channel = 0; channel < count; channel++)
      channels.push((await createChannel(ctx, { type: "slack", target, kinds: ["quota"] })).id);
    const post = async (title: string) => {
      for (const channelId of channels)
        await queuePost(ctx.db, { appId: ctx.app.id, channelId, message: { title, detail: "", url } });
    };
    return { ctx, post };
  }

  async function startChat() {
    await database().orm.delete(alertPosts);
    const chat = await startReceiver();
    onTestFinished(() => chat.stop());
    return chat;
  }

  test("do not delay those of another app: a silent chat has one request at a time, whatever waits for it", async () => {
    const [silent, chat] = [await startChat(), await startChat()];
    silent.answer(() => undefined);
    const [many, other] = [await channelsTo(silent.url, 2), await channelsTo(chat.url)];
    for (let alert = 0; alert < 40; alert++) await many.post(`${alert}`);
    await other.post("other");
    const stop = runQueue(queue());
    await vi.waitFor(() => expect(chat.got).toHaveLength(1), 60_000);
    await vi.waitFor(() => expect(silent.got.length).toBeGreaterThan(1), 60_000);
    // On a busy machine a request may be given up and repeated meanwhile; the other alerts of its channel wait on.
    expect(new Set(silent.got.map(({ body }) => JSON.parse(body).text.split("\n")[0]))).toEqual(
      new Set(["*0*"]),
    );
    await silent.stop();
    await stop();
  });

  test("come one at a time and in their order, however many processes take them", async () => {
    const chat = await startChat();
    const { post } = await channelsTo(chat.url);
    const titles = ["first", "second", "third"];
    for (const title of titles) await post(title);
    for (const title of titles) {
      const taken = await Promise.all([1, 2, 3, 4].map(() => queue().take(64)));
      expect(taken.flat().map(({ message }) => message.title)).toEqual([title]);
      await queue().extend(taken.flat());
      expect(await queue().take(64)).toEqual([]);
      await Promise.all(taken.flat().map((leased) => queue().work(leased)));
    }
    expect(chat.got.map(({ body }) => JSON.parse(body).text.split("\n")[0])).toEqual(
      titles.map((title) => `*${title}*`),
    );
  });

  test("come one at a time although another process began to look before the first was taken", async () => {
    const chat = await startChat();
    const { post } = await channelsTo(chat.url);
    for (const title of ["first", "second"]) await post(title);
    await database().transaction(async (db) => {
      await db.orm.execute(sql`select now()`);
      expect(await queue().take(64)).toHaveLength(1);
      expect(await alertQueue(db).take(64)).toEqual([]);
    });
  });

  test("are taken up to the number that is free, also by a plan for a table of one row", async () => {
    const chat = await startChat();
    for (let app = 0; app < 3; app++) {
      await (await channelsTo(chat.url)).post("waits");
      if (app === 0) await database().orm.execute(sql`analyze alert_posts`);
    }
    expect(await queue().take(1)).toHaveLength(1);
  });

  test("let the other channels go first after a failure, and are taken again after their process has died", async () => {
    const chat = await startChat();
    chat.answer((_, response) => void response.writeHead(500).end());
    const [failing, other] = [await channelsTo(chat.url), await channelsTo(chat.url)];
    for (const title of ["failing 1", "failing 2"]) await failing.post(title);
    await other.post("other");
    const titles = async () => (await queue().take(1)).map(({ message }) => message.title);
    const [leased] = await queue().take(1);
    if (!leased) throw new Error("No alert was taken.");
    await queue().work(leased);
    expect([leased.message.title, leased.attempts]).toEqual(["failing 1", 1]);
    expect([await titles(), await titles()]).toEqual([["other"], []]);
    const passes = (seconds: number) =>
      database()
        .orm.update(alertPosts)
        .set({ dueAt: sql`${alertPosts.dueAt} - make_interval(secs => ${seconds})` });
    await passes(9);
    expect([await titles(), await titles(), await titles()]).toEqual([["failing 1"], ["other"], []]);
    const attempts = await database().orm.select().from(alertPosts).orderBy(asc(alertPosts.id));
    expect(attempts.map((row) => Math.abs(row.attempts))).toEqual([2, 0, 2]);
  });

  test("let the other channels go first after one was accepted, and are not late while their chat answers", async () => {
    const chat = await startChat();
    const [slow, other] = [await channelsTo(chat.url), await channelsTo(chat.url)];
    for (const title of ["slow 1", "slow 2", "slow 3"]) await slow.post(title);
    await other.post("other");
    await database()
      .orm.update(alertPosts)
      .set({ dueAt: sql`${alertPosts.dueAt} - interval '10 minutes'` });
    const titles: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const [leased] = await queue().take(1);
      if (!leased) throw new Error("No alert was taken.");
      titles.push(leased.message.title);
      await queue().work(leased);
    }
    expect(titles).toEqual(["slow 1", "other", "slow 2"]);
    const age = sql<number>`extract(epoch from now() - ${alertPosts.dueAt})::int`;
    expect((await database().orm.select({ age }).from(alertPosts))[0]?.age).toBeLessThan(300);
  });

  test("lose no attempt to a query that fails", async () => {
    const chat = await startChat();
    await (await channelsTo(chat.url)).post("one");
    const [leased] = await queue().take(1);
    if (!leased) throw new Error("No alert was taken.");
    vi.spyOn(database().orm, "select").mockImplementationOnce(() => {
      throw new Error("terminating connection");
    });
    await queue().work(leased);
    expect([chat.got.length, await database().orm.$count(alertPosts)]).toEqual([1, 0]);
  });
});
