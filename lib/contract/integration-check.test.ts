import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nextStep } from "./integration-check";

const reader = (role: "viewer" | "member" | "admin") => ({ appId: "a1", workspaceId: "w1", role });
const toImport = { path: "/codes/import?pool=p1", action: "Import codes", needs: "member" } as const;

test("a reader who may not take the action is led to the colleagues who may", () => {
  expect(nextStep(toImport, reader("viewer"))).toEqual({
    may: false,
    href: "/dashboard/workspaces/w1",
    label: "Ask a member to import codes",
  });
  expect(nextStep(toImport, reader("member"))).toEqual({
    may: true,
    href: "/dashboard/apps/a1/codes/import?pool=p1",
    label: "Import codes",
  });
  expect(nextStep({ path: "/keys", action: "Create a key", needs: "admin" }, reader("member"))).toMatchObject(
    {
      may: false,
      label: "Ask an admin to create a key",
    },
  );
  expect(nextStep({ path: "/keys", action: "Open keys" }, reader("viewer")).may).toBe(true);
});

/** The action of every problem and every check as it is written, with the role beside it or in the next line. */
const actions = ["problems", "integration"].flatMap((folder) =>
  readdirSync(`lib/outward/${folder}`)
    .filter((file) => /^(detect|check)[\w-]*(?<!\.test)\.ts$/.test(file))
    .map((file) => readFileSync(`lib/outward/${folder}/${file}`, "utf8"))
    .flatMap((text) => text.match(/\baction: .*(\n *needs: .*)?/g) ?? []),
);

test("every action but the opening of a page has the role that it needs beside it", () => {
  const labelsOf = (action: string) => action.match(/"[A-Z][\w ]+"/g) ?? [];
  expect(new Set(actions.flatMap(labelsOf)).size).toBeGreaterThan(20);
  const bare = actions.filter((action) => !/needs: .*"(member|admin|owner)"/.test(action)).flatMap(labelsOf);
  expect(bare.filter((label) => !/^"(Open|Show|Review) /.test(label))).toEqual([]);
});
