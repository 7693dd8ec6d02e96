import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, test } from "vitest";
import { renderInvitation } from "@/components/landing/render";
import { LANDING_LANGUAGES, LANDING_TAGS, type LandingLanguage } from "@/lib/contract/landing-languages";
import { LANDING_TEXTS, type LandingText } from "@/lib/contract/landing-texts";
import type { LandingInvitation } from "@/lib/web/landing/find-invitation";
import { MESSAGES } from "@/lib/web/landing/messages";
import { fillLandingTexts } from "@/lib/web/landing/texts";
import { landingView } from "@/lib/web/landing/view";

type Node = ReturnType<IntlMessageFormat["getAst"]>[number];
type Options = Record<string, { value: Node[] }>;

const SAMPLE_INVITATION: LandingInvitation = {
  appId: "01a1fbd4-0139-7fe2-a08e-0b1b349ba341",
  referrerId: "01a1fbd4-0139-7fe2-a08e-0b1b349ba342",
  metacode: "k7m2p9xd",
  state: "open",
  inviter: "Ada",
  appName: "Lumen",
  appleAppId: "1234567890",
  androidPackage: "com.example.app",
  iconHash: undefined,
  accentColor: undefined,
  domain: "links.example.com",
  ownTexts: false,
  endsAt: undefined,
};

const KEYS = Object.keys(LANDING_TEXTS) as LandingText[];
const OTHERS = LANDING_TAGS.filter((tag) => tag !== "en");

const optionsOf = (node: Node): Options => ("options" in node ? (node.options as Options) : {});

/** Every value that a message uses, in all its branches; `#` and plain text use none. */
function namesIn(nodes: Node[]): string[] {
  return nodes.flatMap((node) => {
    const inner = Object.values(optionsOf(node)).flatMap(({ value }) => namesIn(value));
    const own = "value" in node && typeof node.value === "string" && node.type !== 0 ? [node.value] : [];
    return [...own, ...inner];
  });
}

const astOf = (tag: LandingLanguage, key: LandingText) =>
  new IntlMessageFormat(MESSAGES[tag][key], tag).getAst();

test("there are at least 30, four of them right to left", () => {
  expect(LANDING_TAGS.length).toBeGreaterThanOrEqual(30);
  expect(Object.keys(MESSAGES).sort()).toEqual([...LANDING_TAGS].sort());
});

describe.each(LANDING_TAGS)("%s", (tag) => {
  test("has every text, none empty, with the values of the English one", () => {
    expect(Object.keys(MESSAGES[tag])).toEqual(KEYS);
    for (const key of KEYS) {
      const names = [...new Set(namesIn(astOf(tag, key)))].sort();
      expect([key, names]).toEqual([key, [...LANDING_TEXTS[key]].sort()]);
      expect(MESSAGES[tag][key]).toBe(MESSAGES[tag][key].trim());
    }
  });

  test("has a form for every plural that the language has, and for every case of stores", () => {
    const forms = (key: LandingText) => Object.keys(optionsOf(astOf(tag, key)[0] as Node));
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
    expect(forms("daysLeft")).toEqual(expect.arrayContaining(pluralCategories));
    expect(forms("step1Text")).toEqual(["both", "ios", "android", "other"]);
  });

  test("is known to `Intl`, with its dates and its own name", () => {
    expect(Intl.DateTimeFormat.supportedLocalesOf(tag)).toEqual([tag]);
    expect(LANDING_LANGUAGES[tag].toLowerCase()).not.toBe(
      tag === "en" ? "" : new Intl.DisplayNames("en", { type: "language" }).of(tag)?.toLowerCase(),
    );
  });
});

/** Words that are the same in every language: names, and "metacode". */
const NAMES = /metacode|App Store|Google Play|\bApp\b/gi;
const WRITTEN_IN: Partial<Record<LandingLanguage, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  bg: /\p{Script=Cyrillic}/u,
  bn: /\p{Script=Bengali}/u,
  el: /\p{Script=Greek}/u,
  fa: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  th: /\p{Script=Thai}/u,
  uk: /\p{Script=Cyrillic}/u,
  ur: /\p{Script=Arabic}/u,
  "zh-Hans": /\p{Script=Han}/u,
  "zh-Hant": /\p{Script=Han}/u,
};
const ENGLISH = /\b(the|your|you|this|and|enter|from|with|again)\b/i;

/** The visible text of a message: every branch, without the values. */
function textOf(tag: LandingLanguage, key: LandingText): string {
  const walk = (nodes: Node[]): string =>
    nodes
      .map((node) => {
        const inner = Object.values(optionsOf(node)).map(({ value }) => walk(value));
        return node.type === 0 && "value" in node ? String(node.value) : inner.join(" ");
      })
      .join(" ");
  return walk(astOf(tag, key));
}

test.each(OTHERS)("nothing English is left in %s", (tag) => {
  const script = WRITTEN_IN[tag];
  const left = KEYS.filter((key) => {
    const text = textOf(tag, key).replace(NAMES, " ");
    const foreign = script ? !script.test(text) || /[A-Za-z]/.test(text) : ENGLISH.test(text);
    return foreign || MESSAGES[tag][key] === MESSAGES.en[key];
  });
  expect(left).toEqual([]);
});

test("no text is so long that it fills a phone, and none so short that something is missing", () => {
  const dense: readonly string[] = ["ja", "ko", "zh-Hans", "zh-Hant"];
  const odd = OTHERS.flatMap((tag) =>
    KEYS.filter((key) => key !== "daysLeft").flatMap((key) => {
      const ratio = textOf(tag, key).length / textOf("en", key).length;
      const short = textOf("en", key).length < 20;
      const most = short ? 5 : 2;
      const least = dense.includes(tag) ? 0.15 : short ? 0.3 : 0.5;
      return ratio > most || ratio < least ? [`${tag} ${key}: ${ratio.toFixed(2)}`] : [];
    }),
  );
  expect(odd).toEqual([]);
});

test.each(LANDING_TAGS)(
  "a badge in %s says the whole sentence, with the store's name on its own line",
  (tag) => {
    const view = landingView(SAMPLE_INVITATION, { userAgent: "", language: tag });
    const badges = [
      ...renderInvitation(view).matchAll(/<a class="store (\w+)".*?<span>(.*?)<b>(.*?)<\/b>(.*?)<\/span>/gs),
    ];
    expect(badges.map(([, store]) => store)).toEqual(["ios", "android"]);
    const sentences = badges.map(([, , before, name, after]) =>
      `${before}${name}${after}`.replace(/\s/g, ""),
    );
    expect(sentences).toEqual(
      [view.texts.appStore, view.texts.googlePlay].map((text) => text.replace(/\s/g, "")),
    );
    const names = badges.map(([, , , name]) => name);
    expect(names).toEqual([
      expect.stringMatching(/^App Stor\S*$/),
      expect.stringMatching(/^Google Play\S*$/),
    ]);
  },
);

describe("filled texts", () => {
  const values = { app: "Lumen", inviter: "Ada", metacode: "k7m2p9xd", stores: "both" } as const;

  test.each(LANDING_TAGS)("%s keeps the names, and nothing of the message's own marks", (tag) => {
    const texts = fillLandingTexts(tag, { ...values, endsAt: new Date("2026-12-24T12:00:00Z") });
    expect(texts.invited).toContain("\u2068Ada\u2069");
    expect(texts.invited).toContain("\u2068Lumen\u2069");
    expect(texts.step2Text).toContain("\u2068k7m2p9xd\u2069");
    expect(Object.values(texts).join(" ")).not.toMatch(/[{}#]|undefined|\bplural\b|\bselect\b/);
  });

  test("dates, numbers and plurals are the language's own", () => {
    const now = Date.parse("2026-12-19T12:00:00Z");
    const ends = (tag: LandingLanguage, days = 5) => {
      const { until, daysLeft } = fillLandingTexts(
        tag,
        { endsAt: new Date(now + days * 86_400_000) },
        {},
        now,
      );
      return `${until}; ${daysLeft}`;
    };
    expect(ends("en")).toBe("Open until December 24, 2026; 5 days left");
    expect(ends("en", 0.2)).toBe("Open until December 19, 2026; 1 day left");
    expect(ends("de")).toBe("Offen bis 24. Dezember 2026; noch 5 Tage");
    expect(ends("pl", 2)).toBe("Ważne do 21 grudnia 2026; zostały 2 dni");
    expect(ends("pl")).toBe("Ważne do 24 grudnia 2026; zostało 5 dni");
    expect(ends("ar", 2)).toContain("بقي يومان");
    expect(ends("fa")).toContain("۵ روز مانده");
    expect(ends("ja")).toBe("2026年12月24日まで有効; 残り5日");
  });

  test("an end at midnight is shown as the day before it, which is the last one", () => {
    const until = (end: string) => fillLandingTexts("nl", { endsAt: new Date(end) }).until;
    expect(until("2027-01-01T00:00:00Z")).toBe("Geldig tot en met 31 december 2026");
    expect(until("2027-01-01T00:01:00Z")).toBe("Geldig tot en met 1 januari 2027");
  });

  test("an owner's own text replaces the default, with braces and apostrophes unchanged", () => {
    const texts = fillLandingTexts("de", values, { lead: "{app}: it's {metacode} {free}" });
    expect(texts.lead).toBe("\u2068Lumen\u2069: it's \u2068k7m2p9xd\u2069 {free}");
    expect(texts.step2).toBe(MESSAGES.de.step2);
  });
});
