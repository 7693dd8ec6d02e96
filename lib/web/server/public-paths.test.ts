import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "@/lib/testing/folder";
import { publicPaths } from "./public-paths";

/** The addresses of a build, as the framework lists them. */
const ADDRESSES = [
  "/",
  "/_not-found",
  "/sign-in",
  "/sign-in/code",
  "/docs",
  "/docs/[...path]",
  "/docs/search",
  "/docs/search.json",
  "/dashboard",
  "/dashboard/[...missing]",
  "/dashboard/apps/[appId]/codes",
  "/invite/[token]",
  "/robots.txt",
  "/api/auth/[...nextauth]",
  "/optional/[[...rest]]",
];

async function paths() {
  const root = await temporaryFolder();
  await mkdir(join(root, ".next"), { recursive: true });
  const manifest = Object.fromEntries(ADDRESSES.map((address) => [`${address}/page`, address]));
  await writeFile(join(root, ".next/app-path-routes-manifest.json"), JSON.stringify(manifest));
  return publicPaths(root);
}

test("pages for everyone are named by their path, whatever else the address says", async () => {
  const pathOf = await paths();
  for (const url of ["/", "/?utm_source=x", "/?n=1&n=2"]) expect(pathOf(url)).toBe("/");
  for (const url of ["/docs", "/docs/", "/docs?n=7"]) expect(pathOf(url)).toBe("/docs");
  for (const url of ["/docs/self-hosting", "/docs/self-hosting?n"])
    expect(pathOf(url)).toBe("/docs/self-hosting");
  expect(pathOf("/sign-in?n=1")).toBe("/sign-in");
});

test("a parameter that a page reads makes it a page of its own", async () => {
  const pathOf = await paths();
  const own = ["/sign-in?next=/x", "/sign-in?n=1&error=OAuth", "/sign-in?done=reset", "/reset?next=/x"];
  for (const url of [...own, "/?demo=later"]) expect([url, pathOf(url)]).toEqual([url, undefined]);
});

test("pages of one visitor, and everything that only the framework knows, are never public", async () => {
  const pathOf = await paths();
  const own = ["/dashboard", "/dashboard/apps/x/codes", "/invite/token", "/sign-in/code", "/docs/search?q=x"];
  const framework = ["/_next/image?url=x", "/_next/static/x.js", "/robots.txt", "/optional", "/optional/a/b"];
  for (const url of [...own, ...framework, "/docs/search.json", "/api/auth/session"])
    expect([url, pathOf(url)]).toEqual([url, undefined]);
});

test("all unknown addresses share one page, and those among the guides another", async () => {
  const pathOf = await paths();
  const unknown = ["/nothing-1", "/nothing-2?x", "/dashboard/apps/x/codes/more", "/signin"];
  expect(new Set(unknown.map(pathOf))).toEqual(new Set(["/not-found"]));
  const guides = ["/docs/nothing", "/docs/a/b?x", "/docs/api/nothing"];
  expect(new Set(guides.map(pathOf))).toEqual(new Set(["/docs/not-found"]));
  expect(pathOf("/docs/api/redeem-metacode")).toBe("/docs/api/redeem-metacode");
});
