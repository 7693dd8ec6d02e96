import { describe, expect, test } from "vitest";
import { folderCycles, forbiddenImports, importsOf } from "./imports";
import { productionCode, projectFiles, type SourceFile } from "./tree";

describe("the layers", () => {
  const project = projectFiles();
  const files = productionCode(project);

  test("are followed by every file", () => {
    expect(files.length).toBeGreaterThan(150);
    expect(files.flatMap(importsOf).length).toBeGreaterThan(400);
    expect(forbiddenImports(files)).toEqual([]);
  });

  test("have no folders that import one another in a circle, and neither has any other folder", () => {
    const isCode = ({ path }: SourceFile) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path);
    expect(folderCycles(project.filter(isCode))).toEqual([]);
  });

  test.each([
    ["app/api/x/route.ts", `import { database } from "@/lib/platform/db/client";`],
    ["app/dashboard/page.tsx", `import { eq } from "drizzle-orm";`],
    ["app/dashboard/page.tsx", `import pg from "pg";`],
    ["app/dashboard/page.tsx", `const x = await import("@/lib/platform/db/client");`],
    ["components/ui/x.tsx", `import { createApp } from "@/lib/tenants/apps/create";`],
    ["components/ui/x.tsx", `import type { Db } from "../../lib/platform/db/client";`],
    ["lib/contract/x.ts", `import { fail } from "@/lib/platform/errors";`],
    ["lib/contract/x.ts", `import { pools } from "@/lib/platform/db/schema";`],
    ["lib/contract/x.ts", `import { pools, type Pool } from "@/lib/platform/db/schema";`],
    ["lib/platform/errors.ts", `import { z } from "zod";`],
    ["lib/platform/email/x.ts", `import { findApp } from "@/lib/tenants/apps/get";`],
    ["lib/platform/limits/x.ts", `import type { Context } from "@/lib/tenants/context";`],
    ["lib/tenants/apps/x.ts", `import { createPool } from "@/lib/program/pools/create";`],
    ["lib/program/codes/x.ts", `import { detect } from "@/lib/outward/problems/detect";`],
    ["lib/program/codes/x.ts", `import { bundle } from "@/lib/cli/bundle";`],
    ["lib/outward/webhooks/x.ts", `import { route } from "@/lib/web/http/route";`],
    ["lib/web/landing/x.ts", `import { Page } from "@/components/landing/page";`],
    ["lib/web/server/x.ts", `import * as route from "@/app/api/referrer/route";`],
    ["lib/program/providers/x.ts", `import { database } from "@/lib/platform/db/client";`],
    ["lib/program/providers/x.ts", `import { request } from "node:https";`],
    ["lib/platform/db/x.ts", `import type { Context } from "@/lib/tenants/context";`],
    ["lib/web/http/x.ts", `import { eq } from "drizzle-orm";`],
    ["lib/web/http/x.ts", `import { appContext } from "@/lib/web/session/context";`],
    ["lib/program/codes/x.ts", `import {\n  route,\n} from "../../web/http/route";`],
    ["lib/program/codes/x.ts", `export { redirect } from "next/navigation";`],
    ["lib/program/codes/x.ts", `export type { Route } from "../../web/http/route";`],
    ["lib/program/codes/x.ts", `import\n  "@/lib/web/http/route";`],
    ["lib/program/codes/x.ts", `import{route}from"@/lib/web/http/route";`],
    ["lib/program/codes/x.ts", "const x = await import(/* later */ `@/lib/web/http/route`);"],
    ["lib/program/codes/x.ts", `let route: typeof import("@/lib/web/http/route");`],
    ["lib/program/codes/x.ts", `import { measure } from "@/bench/measure";`],
    ["lib/program/codes/x.ts", `const { route } = require("@/lib/web/http/route");`],
    ["lib/program/codes/x.ts", `import route = require("@/lib/web/http/route");`],
    ["lib/helpers/x.ts", `import { route } from "@/lib/web/http/route";`],
    ["app/dashboard/page.tsx", `import { sample } from "../../e2e/sample";`],
    ["lib/program/codes/x.ts", `import "@/lib/web/server/serve";`],
    ["lib/program/codes/x.ts", `import pg from "pg";`],
  ])("a planted import in %s is found: %s", (path, text) => {
    expect(forbiddenImports([{ path, text }])).toHaveLength(1);
  });

  test.each([
    ["app/api/x/route.ts", `import { endpoint } from "@/lib/web/http/endpoint";`],
    [
      "lib/program/codes/x.ts",
      `import { eq } from "drizzle-orm";\nimport { codes } from "@/lib/platform/db/schema";`,
    ],
    ["lib/program/providers/x.ts", `import { fail } from "@/lib/platform/errors";\nimport { z } from "zod";`],
    ["lib/contract/x.ts", `import type { pools } from "@/lib/platform/db/schema";`],
    ["lib/contract/x.ts", `import { type pools, type apps } from "@/lib/platform/db/schema";`],
    ["lib/cli/routes.ts", `import * as route from "@/app/api/referrer/route";`],
  ])("an allowed import passes in %s", (path, text) => {
    expect(forbiddenImports([{ path, text }])).toEqual([]);
  });

  test("a planted circle of three folders is found once, whichever file comes first", () => {
    const planted = [
      { path: "lib/program/c/x.ts", text: `import type { A } from "@/lib/program/a/x";` },
      { path: "lib/program/a/x.ts", text: `import { b } from "@/lib/program/b/x";` },
      { path: "lib/program/b/x.ts", text: `import { c } from "../c/x";` },
    ];
    expect(folderCycles(planted)).toEqual([
      "lib/program/a -> lib/program/b -> lib/program/c -> lib/program/a",
    ]);
    expect(folderCycles(planted.slice(1))).toEqual([]);
  });

  test.each([
    ["components/site", "components/docs"],
    ["lib/program/providers", "lib/program/providers/apple"],
    ["lib/platform", "lib/platform/db"],
    ["app/docs", "components/docs"],
  ])("a planted circle of %s and %s is found", (a, b) => {
    const planted = [
      { path: `${a}/x.ts`, text: `import type { Y } from "@/${b}/y";` },
      { path: `${b}/y.tsx`, text: `import { x } from "@/${a}/x";` },
    ];
    expect(folderCycles(planted)).toHaveLength(1);
  });

  test("an index file belongs to its own folder", () => {
    const planted = [
      { path: "lib/platform/db/schema/index.ts", text: "" },
      { path: "lib/platform/db/client.ts", text: `import type { Row } from "@/lib/contract/row";` },
      { path: "lib/contract/row.ts", text: `import type { pools } from "@/lib/platform/db/schema";` },
    ];
    expect(folderCycles(planted)).toEqual([]);
  });
});
