import { readdir, stat } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { brotliCompressSync, gunzipSync } from "node:zlib";
import type { Template } from "@/bench/load/job";
import { interleave, ratio } from "@/bench/measure";
import { printRuns, printTable, printTarget } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { httpSubject, Numbers } from "@/bench/subjects";
import { templates } from "@/bench/templates";
import { addReferrers, createBenchTenant } from "@/bench/tenant";

const PAGE = "/r/<slug>";
const GZIP = "/r/<slug>, gzip";
const SINGLE = "/r/<one slug>, gzip";
const FILE = "static file of the page's size";
const NEXT = "/sign-in, a Next page";

/** Measures the landing page against a static file of the same server and a page of Next, and their sizes. */
export async function benchLanding({ quick, db, loader, service, url }: Stage): Promise<void> {
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, "landing", 2_000);
  const plain = templates(sample)["/r/<slug>"];
  const gzip = { ...plain, headers: { ...plain.headers, "Accept-Encoding": "gzip" } };
  const packed = await bytesOf(service.port, `/r/${slugs[0]}`, gzip.headers);
  const page = gunzipSync(packed);
  const file = await fileOfSize(packed.length);
  const sign = await bytesOf(service.port, "/sign-in", plain.headers);
  const subject = (name: string, template: Template, among = slugs) =>
    httpSubject(loader, name, {
      port: service.port,
      pids: [service.pid],
      template,
      numbers: new Numbers(among),
    });
  const subjects = [
    subject(PAGE, plain),
    subject(GZIP, gzip),
    subject(SINGLE, gzip, slugs.slice(0, 1)),
    subject(FILE, { method: "GET", path: file.path }),
    subject(NEXT, { method: "GET", path: "/sign-in", headers: plain.headers }),
  ];
  await interleave(subjects, { connections: 8, seconds: 3 }, 1);
  const runs = await interleave(subjects, { connections: 8, seconds: quick ? 2 : 5 }, quick ? 3 : 5);
  printRuns("8 connections", runs);
  const scripts = await scriptBytes(service.port, sign.toString(), plain.headers);
  printTable(
    "bytes",
    ["page", "gzip", "brotli (not served)", "script, gzip"],
    [
      [PAGE, ...[page.length, packed.length, brotliCompressSync(page).length, 0].map(String)],
      [FILE, String(file.size), "-", "-", "-"],
      [NEXT, String(sign.length), "-", "-", String(scripts)],
    ],
  );
  printTarget("landing page in gzip / static file of its size", ratio(runs, GZIP, FILE), { least: 0.5 });
  printTarget("landing page in gzip / a Next page", ratio(runs, GZIP, NEXT), { least: 3 });
  console.log();
}

function bytesOf(port: number, path: string, headers: Record<string, string>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get({ port, path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => resolve(Buffer.concat(chunks)));
    }).on("error", reject);
  });
}

/** The script that a page of the framework loads. */
async function scriptBytes(port: number, html: string, headers: Record<string, string>): Promise<number> {
  const paths = new Set([...html.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, path = ""]) => path));
  const sizes = [...paths].map(async (path) => {
    const bytes = await bytesOf(port, path, { ...headers, "Accept-Encoding": "gzip" });
    return bytes.length;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The static file of the build with the nearest size. */
async function fileOfSize(size: number): Promise<{ path: string; size: number }> {
  const root = join(process.cwd(), ".next/static");
  const names = await readdir(root, { recursive: true });
  const files = await Promise.all(
    names
      .filter((name) => /\.(js|css)$/.test(name))
      .map(async (name) => ({ name, ...(await stat(join(root, name))) })),
  );
  const far = (file: { size: number }) => Math.abs(file.size - size);
  const [nearest] = files.sort((left, right) => far(left) - far(right));
  if (!nearest) throw new Error("The build has no static files");
  return { path: `/_next/static/${nearest.name}`, size: nearest.size };
}
