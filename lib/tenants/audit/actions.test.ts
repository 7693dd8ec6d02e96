import { describe, expect, test } from "vitest";
import { AUDIT_ACTIONS, auditLabel } from "@/lib/contract/audit";
import { WEBHOOK_EVENT_NAMES } from "@/lib/contract/webhook-events";
import { productionCode, type SourceFile } from "@/lib/testing/rules/tree";

/** Names of webhook events look like actions and appear in the same verbs. */
const EVENTS: readonly string[] = WEBHOOK_EVENT_NAMES;

/** Text that looks like an action, except the names of singletons. */
const literals = (text: string) =>
  [...text.replace(/ingleton\("[^"]*"/g, "").matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(
    (match) => match[1] ?? "",
  );

/**
 * Actions without a label in files that record entries. Templates count as well, because they cannot be looked up.
 */
function unlabelled(files: SourceFile[]): string[] {
  return files
    .filter(({ text }) => text.includes("recordAudit("))
    .flatMap(({ path, text }) => {
      const unknown = literals(text).filter((name) => !(name in AUDIT_ACTIONS) && !EVENTS.includes(name));
      const templates = [...text.matchAll(/`[a-z_]+\.\$\{/g)].map(([start]) => start);
      return [...unknown, ...templates].map((name) => `${path}: ${name}`);
    });
}

describe("the labels of the audit log", () => {
  test("exist for every action that the code records", () => {
    const recording = productionCode().filter(({ text }) => text.includes("recordAudit("));
    expect(recording.length).toBeGreaterThan(40);
    expect(unlabelled(recording)).toEqual([]);
  });

  test.each([
    `await recordAudit(db, ctx, { action: "influencer.created", ...subject });`,
    `const action = on ? "pool.opened" : "pool.deleted"; await recordAudit(db, ctx, { action });`,
    ["await recordAudit(db, ctx, { action: `batch.$", "{done}` });"].join(""),
  ])("are missed for a planted action: %s", (text) => {
    expect(unlabelled([{ path: "lib/x/y.ts", text }])).toHaveLength(1);
  });

  test("exist only for actions that the code records", () => {
    const others = productionCode().filter(({ path }) => path !== "lib/contract/audit.ts");
    const verbs = others.filter(({ text }) =>
      /recordAudit\(|AuditAction\b|moveBatch\(|moveCampaign\(/.test(text),
    );
    const written = new Set(verbs.flatMap(({ text }) => literals(text)));
    expect(Object.keys(AUDIT_ACTIONS).filter((action) => !written.has(action))).toEqual([]);
  });

  test("spell out an action of another version", () => {
    expect(auditLabel("api_key.rotated")).toBe("API key rotated");
    expect(auditLabel("key_store.un_locked")).toBe("Key store un locked");
  });
});
