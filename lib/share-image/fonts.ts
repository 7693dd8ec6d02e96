import { rmSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shared } from "@/lib/shared";
import { unpackWoff } from "./woff";

const SUBSETS = ["latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext", "greek", "greek-ext"];
const SCRIPTS = ["arabic", "hebrew", "thai", "devanagari"];

const FAMILY = "Metacode Names";
export const NAME_FONT = `${FAMILY} bold`;
export const CODE_FONT = "Geist Mono semibold";

interface Fonts {
  /** The renderer looks letters up in all fonts that it was ever given. */
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
 * The fonts of the share image, out of packages that are installed anyway. The renderer takes TrueType files only, so
 * at the first image they are unpacked into a folder that goes with the process (0.9 MB).
 */
export function fonts(): Promise<Fonts> {
  return shared("share-image.fonts", load);
}
