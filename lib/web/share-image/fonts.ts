import { rmSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { singleton } from "@/lib/platform/singleton";
import { unpackWoff } from "./woff";

const SUBSETS = ["latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext", "greek", "greek-ext"];
const SCRIPTS = ["arabic", "hebrew", "thai", "devanagari"];

const FAMILY = "Metacode Names";
export const NAME_FONT = `${FAMILY} bold`;
export const CODE_FONT = "Geist Mono semibold";

interface Fonts {
  /** Files to load; the renderer searches all loaded fonts for a glyph. */
  files: string[];
  covered: ReadonlySet<number>;
}

async function load(): Promise<Fonts> {
  const packages = join(process.cwd(), "node_modules");
  const folder = await mkdtemp(join(tmpdir(), "metacode-fonts-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const files = [join(packages, "geist/dist/fonts/geist-mono/GeistMono-SemiBold.ttf")];
  const covered = new Set<number>();
  const names = [
    ...SUBSETS.map((subset) => `noto-sans/files/noto-sans-${subset}`),
    ...SCRIPTS.map((script) => `noto-sans-${script}/files/noto-sans-${script}-${script}`),
  ];
  for (const name of names) {
    const woff = await readFile(join(packages, "@fontsource", `${name}-700-normal.woff`));
    const unpacked = unpackWoff(woff, FAMILY);
    for (const code of unpacked.covered) covered.add(code);
    files.push(join(folder, `${files.length}.ttf`));
    await writeFile(files.at(-1) ?? folder, unpacked.font);
  }
  return { files, covered };
}

/**
 * The fonts of the share image, from packages that are installed anyway. The renderer reads TrueType files only, so
 * with the first image they are unpacked (0.9 MB) into a folder that is deleted when the process ends.
 */
export function fonts(): Promise<Fonts> {
  return singleton("share-image.fonts", load);
}
