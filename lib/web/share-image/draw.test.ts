import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import sharp from "sharp";
import { describe, expect, test, vi } from "vitest";
import { contrast } from "@/lib/contract/colour";
import { forgetSingleton } from "@/lib/platform/singleton";
import { drawShareImage, type ShareImage } from "./draw";
import { fonts } from "./fonts";
import { drawableGraphemes } from "./glyphs";
import { coloursOf } from "./shapes";

/** WhatsApp's maximum size of a preview. */
const WHATSAPP = 300_000;

const image = (changes: Partial<ShareImage> = {}): ShareImage => ({
  appName: "Lumen",
  accent: undefined,
  icon: undefined,
  inviter: "Ada",
  metacode: "k7m2p9xd",
  ...changes,
});

/** An image of noise, which no file format can compress. */
function noise(side: number): Promise<Buffer> {
  const bytes = Buffer.alloc(side * side * 3);
  for (let at = 0; at < bytes.length; at += 32)
    createHash("sha256").update(String(at)).digest().copy(bytes, at);
  return sharp(bytes, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

const pixels = async (png: Buffer) => (await sharp(png).raw().toBuffer()).toString("base64");

describe("a name", () => {
  test.each([
    ["Latin with marks", "Đức Søn Nguyễn Łucja"],
    ["Cyrillic", "Ґанна Їжакевич"],
    ["Greek", "Αθηνά Παπαδοπούλου"],
    ["Arabic and Persian", "محمد علی پژمان گچ"],
    ["Hebrew", "נועה כהן"],
    ["Thai", "สมชาย ใจดี กำลัง"],
    ["Devanagari", "क्षत्रिय श्रीमान प्रिया"],
    ["several at once", "Ada محمد 123"],
    ["parted by a zero-width non-joiner", "می\u200cخواهم"],
  ])("in %s is drawn completely", async (_, name) => {
    expect(
      drawableGraphemes(name, (await fonts()).covered)
        ?.join("")
        .replace(/\u200c/g, ""),
    ).toBe(name.normalize("NFC").replace(/\u200c/g, ""));
  });

  test.each([
    ["Ada 🚀👩‍👩‍👧 Lee", "Ada Lee"],
    ["★ Ada ❤️", "Ada"],
    ["\u202eAda\u2066\u0007", "Ada"],
    ["Ada\ud800 Lee", "Ada Lee"],
  ])("%j loses signs that no font has and invisible characters: %j", async (name, shown) => {
    expect(drawableGraphemes(name, (await fonts()).covered)?.join("")).toBe(shown);
  });

  test.each(["山田太郎", "Ada 山田", "김민준", "ნინო", "🚀🚀", "★", "", " "])(
    "%j is left out, not shown in boxes or in part",
    async (name) => {
      expect(drawableGraphemes(name, (await fonts()).covered)).toBeUndefined();
      expect(await pixels(await drawShareImage(image({ inviter: name })))).toBe(
        await pixels(await drawShareImage(image({ inviter: undefined }))),
      );
    },
  );

  test.each([
    ["Ada", "\u0301"],
    ["ก", "\u0e47"],
    ["ب", "\u0651"],
    ["ก", "\u0e47\u200c"],
  ])("with marks piled up on %s is drawn, also with joiners between: %j", async (name, mark) => {
    const piled = name + mark.repeat(40);
    expect((await drawShareImage(image({ inviter: piled, appName: piled }))).length).toBeLessThan(WHATSAPP);
  });

  test("is drawn after the fonts were deleted, as systems do with temporary files of ten days", async () => {
    await drawShareImage(image());
    const [, file = ""] = (await fonts()).files;
    await rm(dirname(file), { recursive: true });
    const names = ["Ґанна", "Αθηνά"].map(async (inviter) => pixels(await drawShareImage(image({ inviter }))));
    expect(new Set(await Promise.all(names)).size).toBe(2);
  });

  test("is drawn once the folder of temporary files, which was full, can be written again", async () => {
    vi.resetModules();
    forgetSingleton("share-image.fonts");
    const started = await import("./draw");
    vi.stubEnv("TMPDIR", "/proc/none");
    await expect(started.drawShareImage(image())).rejects.toThrow("/proc/none");
    vi.unstubAllEnvs();
    expect(await pixels(await started.drawShareImage(image()))).not.toBe("");
  });

  test("that waits for fonts which cannot be read leaves nothing behind", async () => {
    forgetSingleton("share-image.fonts");
    const listeners = process.listenerCount("exit");
    const folder = vi.spyOn(process, "cwd").mockReturnValue("/nowhere");
    await expect(fonts()).rejects.toThrow("ENOENT");
    folder.mockRestore();
    expect(process.listenerCount("exit")).toBe(listeners);
  });

  test("is drawn as text, whatever its content", async () => {
    const hostile = `<span size="900000">"&amp;' </text><image href="file:///etc/passwd"/>`;
    const { width, height } = await sharp(await drawShareImage(image({ inviter: hostile }))).metadata();
    expect([width, height]).toEqual([1200, 630]);
  });
});

describe("the image", () => {
  test.each([
    ["plain", image()],
    ["of an app alone", image({ inviter: undefined, metacode: undefined })],
    [
      "with long names",
      image({ appName: "W".repeat(80), inviter: "ش".repeat(80), metacode: "w".repeat(32) }),
    ],
    ["with an app no font can write", image({ appName: "流明", inviter: undefined })],
  ])("%s is a PNG of 1200 x 630 that WhatsApp accepts", async (_, shown) => {
    const png = await drawShareImage(shown);
    expect(await sharp(png).metadata()).toMatchObject({
      format: "png",
      width: 1200,
      height: 630,
      hasAlpha: false,
    });
    expect(png.length).toBeLessThan(WHATSAPP);
  });

  test("stays small with an icon of noise", async () => {
    const png = await drawShareImage(image({ icon: await noise(256), accent: "#7f3fbf" }));
    expect(png.length).toBeLessThan(WHATSAPP);
    expect(await pixels(png)).not.toBe(await pixels(await drawShareImage(image({ accent: "#7f3fbf" }))));
  });

  test("leaves a margin beside the longest line", async () => {
    const png = await drawShareImage(image({ inviter: "W".repeat(80), accent: "#000000" }));
    const edge = await sharp(png).extract({ left: 0, top: 0, width: 60, height: 630 }).raw().toBuffer();
    expect(Math.max(...edge)).toBeLessThan(16);
  });

  test("has a ticket on the tile when there is neither an icon nor an initial", async () => {
    const png = await drawShareImage(image({ appName: "流明", inviter: undefined, accent: "#000000" }));
    const middle = await sharp(png).extract({ left: 600, top: 236, width: 1, height: 1 }).raw().toBuffer();
    expect(Math.max(...middle)).toBeLessThan(64);
  });

  test("changes with everything that it shows", async () => {
    const all = [
      image(),
      image({ inviter: "Bob" }),
      image({ appName: "Other" }),
      image({ metacode: "zzzzzzzz" }),
      image({ accent: "#ff0000" }),
    ];
    const drawn = await Promise.all(all.map(async (image) => pixels(await drawShareImage(image))));
    expect(new Set(drawn).size).toBe(all.length);
  });
});

test("text stands out from every colour that an owner may pick", () => {
  for (let value = 0; value < 1 << 24; value += 997) {
    const { ground, shade, text, quiet, onPlate } = coloursOf(`#${value.toString(16).padStart(6, "0")}`);
    expect(Math.min(contrast(text, ground), contrast(text, shade))).toBeGreaterThan(4.2);
    // Large text needs 3.
    expect(contrast(quiet, ground)).toBeGreaterThan(3);
    expect(contrast(text, onPlate)).toBeGreaterThan(15);
  }
});
