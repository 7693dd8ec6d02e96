import lighthouse, { desktopConfig, type Flags } from "lighthouse";
import { chromium } from "playwright";
import { getChromium } from "@/lib/cli/chromium";
import type { SampleWorkspace } from "@/lib/cli/demo/build";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import startServer from "../../e2e/start-server";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof CATEGORIES)[number];

interface Visit {
  path: string;
  device: "desktop" | "phone";
  /** The minimum scores; a category without one does not apply. */
  floors: Partial<Record<Category, number>>;
}

const PERFECT = { performance: 100, accessibility: 100, "best-practices": 100, seo: 100 };
/** A phone of 2019 on slow 4G, simulated: one or two points of speed are the machine's noise. */
const PHONE = { ...PERFECT, performance: 90 };

/** A busy machine only slows runs down, so the best of several shows the page's speed. */
const TRIES = 3;

async function landingPath(): Promise<string> {
  const { api_key } = JSON.parse(process.env.E2E_SAMPLE ?? "") as SampleWorkspace;
  const response = await fetch(`${process.env.E2E_BASE_URL}/api/referrer`, {
    method: "POST",
    headers: { "x-api-key": api_key, "content-type": "application/json" },
    body: JSON.stringify({ uid: "lighthouse", metadata: { name: "Anna" } }),
  });
  const { metacode } = (await response.json()) as { metacode: string };
  return `/r/${metacode}`;
}

async function visits(): Promise<Visit[]> {
  // Invitations are `noindex` on purpose, which the last category counts as a fault.
  const { seo: _, ...invitation } = PHONE;
  return [
    { path: "/", device: "desktop", floors: PERFECT },
    { path: "/", device: "phone", floors: PHONE },
    { path: "/docs/quickstart", device: "desktop", floors: { ...PERFECT, performance: 95 } },
    { path: "/docs/quickstart", device: "phone", floors: PHONE },
    { path: await landingPath(), device: "phone", floors: invitation },
  ];
}

type Scores = Record<Category, number>;

async function measure(port: number, { path, device }: Visit): Promise<Scores> {
  const flags: Flags = { port, onlyCategories: [...CATEGORIES], logLevel: "error" };
  const config = device === "desktop" ? desktopConfig : undefined;
  const result = await lighthouse(`${process.env.E2E_BASE_URL}${path}`, flags, config);
  const of = (category: Category) => Math.round((result?.lhr.categories[category]?.score ?? 0) * 100);
  const failed = Object.values(result?.lhr.audits ?? {}).filter(({ score }) => score !== null && score < 0.9);
  if (process.env.EXPLAIN)
    for (const { id, displayValue } of failed) console.log(`    ${id} ${displayValue ?? ""}`);
  return Object.fromEntries(CATEGORIES.map((category) => [category, of(category)])) as Scores;
}

const missed = (scores: Scores, { floors }: Visit): Category[] =>
  CATEGORIES.filter((category) => scores[category] < (floors[category] ?? 0));

/** The best score of each category over all runs; stops early when every minimum is reached. */
async function best(port: number, visit: Visit): Promise<Scores> {
  let scores = await measure(port, visit);
  for (let attempt = 1; attempt < TRIES && missed(scores, visit).length > 0; attempt += 1) {
    const again = await measure(port, visit);
    scores = Object.fromEntries(
      CATEGORIES.map((category) => [category, Math.max(scores[category], again[category])]),
    ) as Scores;
  }
  return scores;
}

function print(visit: Visit, scores: Scores): void {
  const columns = CATEGORIES.map((category) =>
    visit.floors[category] === undefined ? `${category} -` : `${category} ${scores[category]}`,
  );
  console.log(`${visit.path.padEnd(18)} ${visit.device.padEnd(8)} ${columns.join("   ")}`);
}

const stop = await startServer();
const port = await freePort();
const browser = await chromium.launch({
  executablePath: await getChromium(),
  args: [`--remote-debugging-port=${port}`, "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
let below = 0;
for (const visit of await visits()) {
  const scores = await best(port, visit);
  print(visit, scores);
  for (const category of missed(scores, visit)) {
    below += 1;
    console.log(`  ${category} is below ${visit.floors[category]}`);
  }
}
await browser.close();
await stop();
process.exit(below > 0 ? 1 : 0);
