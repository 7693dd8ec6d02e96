import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nextStep } from "./integration-check";

const reader = (role: "viewer" | "member" | "admin") => ({ appId: "a1", workspaceId: "w1", role });
const toImport = { path: "/codes/import?pool=p1", action: "Import codes" };

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
  expect(nextStep({ path: "/keys", action: "Create key" }, reader("member")).may).toBe(false);
  expect(nextStep({ path: "/keys", action: "Open keys" }, reader("viewer")).may).toBe(true);
});

/** The words of the actions of every problem and every check. */
const actions = ["problems", "integration"].flatMap((folder) =>
  readdirSync(`lib/outward/${folder}`)
    .filter((file) => /^(detect|check)[\w-]*(?<!\.test)\.ts$/.test(file))
    .flatMap((file) => readFileSync(`lib/outward/${folder}/${file}`, "utf8").match(/action: .*/g) ?? [])
    .flatMap((line) => line.match(/"[A-Z][\w ]+"/g) ?? [])
    .map((word) => word.slice(1, -1)),
);

test("every action but the opening of a page names the colleagues who may take it", () => {
  expect(new Set(actions).size).toBeGreaterThan(20);
  const open = actions.filter((action) => nextStep({ path: "", action }, reader("viewer")).may);
  expect(open.filter((action) => !/^(Open|Show|Review) /.test(action))).toEqual([]);
});
