import { expect, test } from "vitest";
import { missingPrograms, newestPrograms, PROGRAMS } from "./system-packages";

test("missing programs are named with the command that installs them", () => {
  const all = Object.fromEntries(PROGRAMS.map((name) => [name, `/usr/bin/${name}`]));
  expect(missingPrograms(all)).toBeUndefined();
  expect(missingPrograms({ ...all, etcd: undefined, postgres: undefined })).toBe(
    "The drill needs etcd, postgres: apt-get install --no-install-recommends etcd-server postgresql",
  );
});

test("the newest PostgreSQL of Debian is used", () => {
  expect(newestPrograms(["9.6", "15", "17", "README"])).toBe("/usr/lib/postgresql/17/bin");
  expect(newestPrograms([])).toBeUndefined();
});
