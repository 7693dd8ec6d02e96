import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accentOf, contrast, GROUNDS } from "@/lib/contract/colour";
import { accentStyle } from "./accent";
import { landingStyle } from "./style";

const SCHEMES = ["light", "dark"] as const;

/** Every sixteenth value of each part: 4,913 colours, corners and greys among them. */
function* palette(): Generator<string> {
  const parts = [...Array(16).keys()].map((part) => part * 16).concat(255);
  for (const red of parts)
    for (const green of parts)
      for (const blue of parts)
        yield `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function flaws(color: string): string[] {
  return SCHEMES.flatMap((scheme) => {
    const { text, fill, onFill } = accentOf(color, scheme);
    const against = (shade: string, least: number) =>
      GROUNDS[scheme].every((ground) => contrast(shade, ground) >= least);
    const sound = against(text, 4.5) && against(fill, 3) && contrast(fill, onFill) >= 4.5;
    return sound ? [] : [`${color} in ${scheme}: ${text} ${fill} ${onFill}`];
  });
}

describe("an accent", () => {
  test("is readable in light and dark for any picked colour", () => {
    expect([...palette()].flatMap(flaws)).toEqual([]);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffffff }),
        (value) => flaws(`#${value.toString(16).padStart(6, "0")}`).length === 0,
      ),
    );
  });

  test("stays unchanged if it is readable", () => {
    expect(accentOf("#1d4ed8", "light")).toEqual({ text: "#1d4ed8", fill: "#1d4ed8", onFill: "#ffffff" });
    expect(accentOf("#ffd400", "dark")).toEqual({ text: "#ffd400", fill: "#ffd400", onFill: "#000000" });
  });

  test("consists of three values per colour scheme", () => {
    expect(accentStyle("#ff0000")).toMatch(
      /^:root(\{--accent:#\w{6};--fill:#\w{6};--on-fill:#\w{6}\})@media \(prefers-color-scheme:dark\)\{:root\{[-#:;\w]+\}\}$/,
    );
  });
});

test("the backgrounds are those of the style sheet", () => {
  for (const color of Object.values(GROUNDS).flat()) {
    const short = color === "#ffffff" ? "#fff" : color;
    expect(landingStyle).toContain(short);
  }
});
