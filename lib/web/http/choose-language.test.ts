import { expect, test } from "vitest";
import { LANDING_TAGS } from "@/lib/contract/landing-languages";
import { chooseLanguage } from "@/lib/web/http/choose-language";

const by = (header: string | null) => chooseLanguage(null, header);

test.each([
  ["de-AT,de;q=0.9,en;q=0.8", "de"],
  ["en-US,en;q=0.5", "en"],
  ["fr-CA", "fr"],
  ["es-419,es;q=0.9", "es"],
  ["pt", "pt-BR"],
  ["pt-PT,pt;q=0.9", "pt-PT"],
  ["pt-AO", "pt-PT"],
  ["zh-CN,zh;q=0.9", "zh-Hans"],
  ["zh-TW", "zh-Hant"],
  ["zh-HK", "zh-Hant"],
  ["zh-Hant-MO", "zh-Hant"],
  ["zh", "zh-Hans"],
  ["no", "nb"],
  ["nn-NO", "nb"],
  ["iw", "he"],
  ["in", "id"],
  ["ar-EG", "ar"],
  ["fa-IR", "fa"],
  ["en;q=0.2, sv;q=0.9", "sv"],
  ["de;q=0, it;q=0.1", "it"],
  ["xx-YY, fi;q=0.5", "fi"],
  ["tlh", "en"],
  ["ca", "es"],
  ["ga-IE, fr;q=0.5", "fr"],
  ["af, nl;q=0.5, en;q=0.1", "nl"],
  ["nn, en;q=0.5", "nb"],
  ["fr_FR", "fr"],
  ["zh_Hant_TW, en_US;q=0.5", "zh-Hant"],
  ["und-US", "en"],
  ["und-DE, fr;q=0.5", "fr"],
  ["und-DE", "de"],
  ["und-Latn", "en"],
  ["fr-a-true", "fr"],
  ["gl-ES,gl,ca-ES,ca,fr-FR,fr", "fr"],
  ["lb-LU,lb,gsw-CH,gsw,fr", "fr"],
  ["ar-EG-u-nu-latn", "ar"],
  ["*", "en"],
  ["", "en"],
  [null, "en"],
  [`${"a".repeat(9)},,;q=9,de`, "de"],
])("%s is read as %s", (header, expected) => {
  expect(by(header)).toBe(expected);
});

test("every language of the page is found by its own tag", () => {
  for (const tag of LANDING_TAGS) expect(by(tag)).toBe(tag);
});

test.each([
  ["ar", "de", "ar"],
  ["de-CH", "fr", "de"],
  ["PT-pt", "de", "pt-PT"],
  ["klingon", "de", "de"],
  ["__proto__", "de", "de"],
  ["<script>", "de", "de"],
  ["de,fr", "it", "de"],
  ["ca", "en", "es"],
])("?lang=%s with a browser in %s is %s", (requested, header, expected) => {
  expect(chooseLanguage(requested, header)).toBe(expected);
});

test("a header of any length is read in bounded work", () => {
  expect(by(`${"zz-ZZ,".repeat(5_000)}de`)).toBe("en");
});

test("no ?lang= decides for the visitors whose header is a part of it", () => {
  expect(chooseLanguage(";de-LI,de;q=0.9,en-US", "q=0.8,en;q=0.7")).toBe("en");
  expect(by("de-LI,de;q=0.9,en-US;q=0.8,en;q=0.7")).toBe("de");
});
