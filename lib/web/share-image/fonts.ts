import { rmSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { Cache } from "@/lib/platform/cache";
import { singleton } from "@/lib/platform/singleton";
import { type UnpackedFont, unpackWoff, writeMissing } from "./woff";

const SUBSETS = ["latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext", "greek", "greek-ext"];
const SCRIPTS = ["arabic", "hebrew", "thai", "devanagari"];

const FAMILY = "Metacode Names";
export const NAME_FONT = `${FAMILY} bold`;
export const CODE_FONT = "Geist Mono semibold";

interface Fonts {
  /** Files to load; the renderer searches all loaded fonts for a glyph. */
  files: string[];
  covered: ReadonlySet<number>;
  unpacked: readonly UnpackedFont[];
}

async function load(): Promise<Fonts> {
  const packages = join(process.cwd(), "node_modules");
  const covered = new Set<number>();
  const fontBytes: Buffer[] = [];
  const names = [
    ...SUBSETS.map((subset) => `noto-sans/files/noto-sans-${subset}`),
    ...SCRIPTS.map((script) => `noto-sans-${script}/files/noto-sans-${script}-${script}`),
  ];
  for (const name of names) {
    const woff = await readFile(join(packages, "@fontsource", `${name}-700-normal.woff`));
    const { font, covered: codes } = unpackWoff(woff, FAMILY);
    for (const code of codes) covered.add(code);
    fontBytes.push(font);
  }
  // Created last: each load that failed to read a font would leave another folder and listener.
  const folder = await mkdtemp(join(tmpdir(), "metacode-fonts-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const unpacked = fontBytes.map((bytes, index) => ({ file: join(folder, `${index}.ttf`), bytes }));
  const code = join(packages, "geist/dist/fonts/geist-mono/GeistMono-SemiBold.ttf");
  return { files: [code, ...unpacked.map(({ file }) => file)], covered, unpacked };
}

const cache = () => singleton("share-image.fonts", () => new Cache<Fonts>(Number.POSITIVE_INFINITY, 1));
const limit = pLimit(1);

/**
 * The fonts of the share image, from packages that are installed anyway. The renderer reads TrueType files only, so they are
 * unpacked (0.9 MB) into a folder that is deleted when the process ends. Systems delete temporary files that were not read
 * for days, often ten: each call writes the missing ones, and tries again what failed before.
 */
export function fonts(): Promise<Fonts> {
  return limit(async () => {
    const loaded = await cache().get("", load);
    for (const font of loaded.unpacked) await writeMissing(font);
    return loaded;
  });
}
