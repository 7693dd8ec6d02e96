import { expect, test } from "vitest";
import { BatchActions } from "../batch-actions";
import { reportHref } from "./running-import";

test("the report of an interrupted import keeps the pool and the campaign in the page's address", () => {
  const page = "https://metacode.example/dashboard/apps/a1/codes/import";
  expect(reportHref(`${page}?pool=p1&from=c1`, "b2")).toBe(
    "/dashboard/apps/a1/codes/import?pool=p1&from=c1&import=b2",
  );
  expect(reportHref(`${page}?import=b1`, "b2")).toBe("/dashboard/apps/a1/codes/import?import=b2");
});

test("an undo promises that codes can be imported again, but not the uses of an assigned custom code", () => {
  const counts = { size: 5, assigned: 2, free: 3, confirmed: 0, reserved: 0, quarantined: 0, expired: 0 };
  const question = (kind: "custom" | "one_time") =>
    JSON.stringify(
      BatchActions({ appId: "1", batch: { ...counts, kind, id: "1", state: "ready" }, verbs: {} as never }),
      (_, value) => (value?.type?.name === "Undo" ? value.type(value.props) : value),
    );
  expect(question("one_time")).toContain("3 codes without a user are deleted here");
  expect(question("custom")).toContain("3 uses without a user can no longer be assigned");
  expect(question("custom")).not.toContain("import them again");
});

test("the question before a restore promises codes only where they have not expired", () => {
  const counts = { size: 5, assigned: 2, free: 0, confirmed: 0, reserved: 0, quarantined: 3, expired: 0 };
  const question = (quarantined: number, over: boolean) => {
    const batch = { ...counts, quarantined, kind: "one_time", id: "1", state: "quarantined" } as const;
    return JSON.stringify(BatchActions({ appId: "1", batch, verbs: {} as never, over }));
  };
  expect(question(3, false)).toContain("Its 3 codes can be assigned again at once.");
  expect(question(3, true)).toContain("because they are expired or too close to expiry.");
  for (const over of [true, false]) expect(question(0, over)).toContain("No code of this batch is free");
});
