import { describe, expect, test } from "vitest";
import { postBody } from "@/lib/outward/problems/post";

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
