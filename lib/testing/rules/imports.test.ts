import { describe, expect, test } from "vitest";
import { forbiddenImports, importsOf } from "./imports";
import { productionCode } from "./tree";

describe("the import table", () => {
  test("is kept by every file", () => {
    const files = productionCode();
    expect(files.length).toBeGreaterThan(150);
    expect(files.flatMap(importsOf).length).toBeGreaterThan(400);
    expect(forbiddenImports(files)).toEqual([]);
  });

  test.each([
    ["app/api/x/route.ts", `import { database } from "@/lib/db/client";`],
    ["app/dashboard/page.tsx", `import { eq } from "drizzle-orm";`],
    ["app/dashboard/page.tsx", `import pg from "pg";`],
    ["app/dashboard/page.tsx", `const x = await import("@/lib/db/client");`],
    ["components/ui/x.tsx", `import { createApp } from "@/lib/apps/create";`],
    ["components/ui/x.tsx", `import type { Db } from "../../lib/db/client";`],
    ["lib/contract/x.ts", `import { fail } from "@/lib/errors";`],
    ["lib/errors.ts", `import { z } from "zod";`],
    ["lib/providers/x.ts", `import { database } from "@/lib/db/client";`],
    ["lib/providers/x.ts", `import { request } from "node:https";`],
    ["lib/db/x.ts", `import type { Context } from "@/lib/context";`],
    ["lib/http/x.ts", `import Page from "@/app/page";`],
    ["lib/http/x.ts", `import { eq } from "drizzle-orm";`],
    ["lib/codes/x.ts", `import { route } from "@/lib/http/route";`],
    ["lib/codes/x.ts", `import {\n  route,\n} from "../http/route";`],
    ["lib/codes/x.ts", `export { redirect } from "next/navigation";`],
    ["lib/codes/x.ts", `import "@/lib/server/serve";`],
    ["lib/codes/x.ts", `import pg from "pg";`],
  ])("a planted one in %s is found: %s", (path, text) => {
    expect(forbiddenImports([{ path, text }])).toHaveLength(1);
  });

  test.each([
    ["app/api/x/route.ts", `import { endpoint } from "@/lib/http/endpoint";`],
    ["lib/codes/x.ts", `import { eq } from "drizzle-orm";\nimport { codes } from "@/lib/db/schema";`],
    ["lib/providers/x.ts", `import { fail } from "@/lib/errors";\nimport { z } from "zod";`],
    ["lib/api-keys/x.ts", `import { broadcast } from "@/lib/server/broadcast";`],
  ])("what the table allows passes in %s", (path, text) => {
    expect(forbiddenImports([{ path, text }])).toEqual([]);
  });
});
