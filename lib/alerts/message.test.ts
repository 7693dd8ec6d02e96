import { describe, expect, test } from "vitest";
import { messageBody } from "@/lib/alerts/message";

const url = "https://metacode.example/dashboard/apps/1/alerts";
const hostile = {
  title: 'The pool "<!channel> @everyone **x** <https://evil.example|codes>" is empty',
  detail: "[free](https://evil.example) <@123> `x` & more",
  url,
};

describe("what people called a thing is text in a chat", () => {
  test("Slack gets no tag, link or call out of it", () => {
    const { text } = JSON.parse(messageBody("slack", hostile));
    expect(text.match(/<[^>]*>/g)).toEqual([`<${url}>`]);
    expect(text).toContain("&lt;!channel&gt;");
    expect(text).toContain("&amp; more");
  });

  test("Discord gets no mark, link or call out of it, and is told to call nobody", () => {
    const body = JSON.parse(messageBody("discord", hostile));
    expect(body.allowed_mentions).toEqual({ parse: [] });
    expect(body.content).toContain("\\@everyone \\*\\*x\\*\\*");
    expect(body.content).toContain("\\[free\\]\\(https");
    expect(body.content.endsWith(`<${url}>`)).toBe(true);
  });

  test("a long one is cut where Discord's ends, and keeps its link", () => {
    const { content } = JSON.parse(messageBody("discord", { ...hostile, detail: "x".repeat(5_000) }));
    expect(content.length).toBeLessThanOrEqual(2_000);
    expect(content.endsWith(`<${url}>`)).toBe(true);
  });
});
