import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { API_TEXTS, type ApiText } from "@/lib/contract/api-texts";
import { directionOf, LANDING_TAGS, type LandingLanguage } from "@/lib/contract/landing-languages";
import { database } from "@/lib/platform/db/client";
import { campaignPlatforms } from "@/lib/platform/db/schema";
import { idempotencyOf } from "@/lib/platform/idempotency/key";
import { forgetSingleton } from "@/lib/platform/singleton";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { claimRewards } from "@/lib/program/rewards/claim";
import { updateOwnTexts } from "@/lib/program/texts/own-texts";
import { earnRewards } from "@/lib/testing/confirm";
import { statementsOf } from "@/lib/testing/database/statements";
import { inParallel } from "@/lib/testing/parallel";
import { countCalls } from "@/lib/testing/redeems";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { API_MESSAGES, builtInText } from "./api-texts";

useService();

const KEYS = Object.keys(API_TEXTS) as ApiText[];
const accept = (language: string) => ({ "accept-language": language });

const ENGLISH = {
  ios: "Open the link, or go to the App Store, tap your profile picture, choose Redeem Gift Card or Code and enter the code.",
  android:
    "Open the link, or go to Google Play, tap your profile picture, choose Payments & subscriptions, then Redeem code, and enter the code.",
};

describe.each(LANDING_TAGS)("the texts of the API in %s", (tag) => {
  const forms = (key: ApiText) => {
    const ast = new IntlMessageFormat(API_MESSAGES[tag][key], tag).getAst();
    return ast.flatMap((node) => ("options" in node ? [Object.keys(node.options)] : []));
  };

  test("are complete, with a form for every plural that the language has", () => {
    expect(Object.keys(API_MESSAGES[tag]).sort()).toEqual([...KEYS].sort());
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
    const plurals = forms("claimed");
    expect(plurals).toHaveLength(2);
    for (const plural of plurals) expect(plural).toEqual(expect.arrayContaining(pluralCategories));
    expect(plurals[1]).toContain("=0");
  });

  test("name the stores, the inviter and the counts, and leave nothing of the message's marks", () => {
    const say = (key: ApiText, values = {}) => builtInText({ language: tag, own: {} }, key, values);
    expect(say("redeemIos")).toMatch(/App Store/);
    expect(say("redeemAndroid")).toContain("Google Play");
    expect(say("referredBy", { inviter: "Ada" })).toContain("Ada");
    const number = new Intl.NumberFormat(tag).format;
    for (const [claimed, waiting] of [
      [1, 0],
      [5, 0],
      [2, 3],
      [23, 7],
    ] as const) {
      const text = say("claimed", { claimed, waiting });
      if (claimed > 2) expect(text).toContain(number(claimed));
      if (waiting > 2) expect(text).toContain(number(waiting));
      expect(text === say("claimed", { claimed, waiting: 0 })).toBe(waiting === 0);
      expect(text).not.toMatch(/[{}#]|undefined|plural/);
    }
    const all = KEYS.map((key) => say(key, { inviter: "x", claimed: 5, waiting: 5 }));
    if (tag !== "en") {
      const english = KEYS.map((key) =>
        builtInText({ language: "en", own: {} }, key, { inviter: "x", claimed: 5, waiting: 5 }),
      );
      for (const [index, text] of all.entries()) expect(text).not.toBe(english[index]);
    }
  });
});

test("redeem and claim answer in each of the 36 languages, and say which", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 50 });
  await inParallel(LANDING_TAGS.length, 4, async (n) => {
    const tag = LANDING_TAGS[n] as LandingLanguage;
    const redeemed = await api.redeem(`bob-${tag}`, metacode, n % 2 ? "ios" : "android", {}, accept(tag));
    expect(redeemed.status).toBe(200);
    const texts = { language: tag, own: {} };
    expect(redeemed.body.instructions).toBe(builtInText(texts, n % 2 ? "redeemIos" : "redeemAndroid"));
    const inviter = directionOf(tag) === "rtl" ? `\u2068${metacode}\u2069` : metacode;
    expect(redeemed.body.referrer_info.message).toBe(builtInText(texts, "referredBy", { inviter }));
    await earnRewards(tenant, `ann-${tag}`, 1);
    const claimed = await api.claim(`ann-${tag}`, accept(tag));
    expect(claimed.body.message).toBe(builtInText(texts, "claimed", { claimed: 1, waiting: 0 }));
    expect(claimed.body.claimed_rewards[0].instructions).toBe(builtInText(texts, "redeemIos"));
    for (const { headers } of [redeemed, claimed]) {
      expect([headers.get("content-language"), headers.get("vary")]).toEqual([tag, "Accept-Language"]);
    }
    const again = await api.redeem(`bob-${tag}`, metacode, n % 2 ? "ios" : "android", {}, accept(tag));
    expect(again.body.redemption).toEqual(redeemed.body);
    const lost = await api.claim(`ann-${tag}`, accept(tag));
    expect(lost.body.recent_claims).toEqual(claimed.body.claimed_rewards);
    for (const { headers } of [again, lost]) {
      expect([headers.get("content-language"), headers.get("vary")]).toEqual([tag, "Accept-Language"]);
    }
    expect(again.body.error.message).toBe("This referee has already redeemed a code for this campaign");
  });
});

test.each([[undefined], ["*"], ["tlh"], [""], ["en-GB,en;q=0.9"]])(
  "with the header %s the answer is the English one of before",
  async (header) => {
    const { tenant, api, metacode } = await referringTenant();
    const headers = header === undefined ? {} : accept(header);
    for (const platform of ["ios", "android"] as const) {
      const { body, headers: sent } = await api.redeem(`bob-${platform}`, metacode, platform, {}, headers);
      expect(body.instructions).toBe(ENGLISH[platform]);
      expect(body.referrer_info.message).toBe(`You were referred by ${metacode}`);
      expect(sent.get("content-language")).toBe("en");
    }
    expect((await api.redeem("x", "test123", "ios", {}, headers)).body.instructions).toBe(ENGLISH.ios);
    await earnRewards(tenant, "kim", 3);
    expect((await api.claim("kim", headers)).body.message).toBe("Successfully claimed 3 rewards");
  },
);

test("the test metacode answers in the language too", async () => {
  const { api } = await referringTenant();
  const { body } = await api.redeem("x", "test123", "ios", {}, accept("fr"));
  expect(body.instructions).toBe(API_MESSAGES.fr.redeemIos);
});

describe("the owner's own texts", () => {
  test("come before the campaign's instructions, and these before the built-in text", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const { ctx } = tenant;
    await ctx.db.orm.update(campaignPlatforms).set({ instructions: "Tap Redeem" });
    await updateOwnTexts(ctx, {
      language: "de",
      redeemIos: "Öffne {app} und tippe auf Einlösen",
      referredBy: "{inviter} lädt dich zu {app} ein",
    });
    const german = (await api.redeem("bob", metacode, "ios", {}, accept("de-AT"))).body;
    expect(german.instructions).toBe("Öffne Fitness und tippe auf Einlösen");
    expect(german.referrer_info.message).toBe(`${metacode} lädt dich zu Fitness ein`);
    const french = (await api.redeem("eve", metacode, "ios", {}, accept("fr"))).body;
    expect(french.instructions).toBe("Tap Redeem");
    expect((await api.redeem("kim", metacode)).body.referrer_info.message).toBe(
      `You were referred by ${metacode}`,
    );
  });

  test("leave the built-in message where the stored one does not name the referrer", async () => {
    const { tenant, api, metacode } = await referringTenant();
    await updateOwnTexts(tenant.ctx, { language: "en", redeemIos: "Tap Offers", referredBy: "Welcome" });
    const { body } = await api.redeem("bob", metacode);
    expect(body.instructions).toBe("Tap Offers");
    expect(body.referrer_info.message).toBe(`You were referred by ${metacode}`);
  });

  test.each([[undefined], ["*"], ["qaa"], ["en-GB"]])(
    "in English answer the header %s too, and an answer that was stored before them is replayed",
    async (header) => {
      const { tenant, api, metacode } = await referringTenant();
      const [headers, key] = [header === undefined ? {} : accept(header), { "idempotency-key": "one" }];
      await earnRewards(tenant, "kim", 1);
      const before = await api.redeem("ann1", metacode, "ios", {}, { ...headers, ...key });
      await updateOwnTexts(tenant.ctx, {
        language: "en",
        redeemIos: "Tap Offers",
        referredBy: "{inviter} sent you",
      });
      forgetSingleton("landing.texts");
      const { body, headers: sent } = await api.redeem("bob", metacode, "ios", {}, headers);
      expect([body.instructions, body.referrer_info.message]).toEqual(["Tap Offers", `${metacode} sent you`]);
      expect([sent.get("content-language"), sent.get("vary")]).toEqual(["en", "Accept-Language"]);
      expect((await api.redeem("x", "test123", "ios", {}, headers)).body.instructions).toBe("Tap Offers");
      expect((await api.claim("kim", headers)).body.claimed_rewards[0].instructions).toBe("Tap Offers");
      const again = await api.redeem("ann1", metacode, "ios", {}, { ...headers, ...key });
      expect([again.body, again.headers.get("idempotency-replayed")]).toEqual([before.body, "true"]);
    },
  );

  test("of the landing page are not stored with an answer in English, nor is anything where there are none", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const call = vi.spyOn(database(), "call");
    onTestFinished(() => call.mockRestore());
    await updateOwnTexts(tenant.ctx, { language: "en", gift: "One month free" });
    for (const [n, headers] of [{}, accept("en"), accept("qaa")].entries()) {
      expect((await api.redeem(`bob${n}`, metacode, "ios", {}, headers)).status).toBe(200);
    }
    const sent = call.mock.calls.filter(([{ name }]) => name.startsWith("redeem_"));
    expect(sent.map(([, values]) => values)).toEqual(Array(3).fill(expect.objectContaining({ texts: null })));
  });
});

test("the stored answer of an Idempotency-Key stays as it was, in whatever language it is asked for again", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const key = { "idempotency-key": "one" };
  const first = await api.redeem("bob", metacode, "ios", {}, { ...key, ...accept("de") });
  await updateOwnTexts(tenant.ctx, { language: "de", referredBy: "Neu: {inviter}" });
  for (const headers of [key, { ...key, ...accept("fr") }, { ...key, ...accept("de") }]) {
    const again = await api.redeem("bob", metacode, "ios", {}, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("content-language")).toBe("de");
  }
  await earnRewards(tenant, "kim", 2);
  const plain = await api.claim("kim", key);
  const again = await api.claim("kim", { ...key, ...accept("ja") });
  expect([again.body, again.headers.get("content-language")]).toEqual([plain.body, "en"]);
});

test("a claim is replayed with the name that the app had, in the owner's own text", async () => {
  const { tenant } = await referringTenant();
  await updateOwnTexts(tenant.ctx, { language: "de", redeemIos: "Öffne {app}" });
  await earnRewards(tenant, "kim", 1);
  const idempotency = idempotencyOf("one", "kim");
  const claim = async (name: string) => {
    const ctx = { ...tenant.ctx, app: { ...tenant.ctx.app, name } };
    const { body } = await claimRewards(ctx, { uid: "kim", language: "de", idempotency });
    return body.claimed_rewards.map(({ instructions }) => instructions);
  };
  expect(await claim("Fitness")).toEqual(["Öffne Fitness"]);
  expect(await claim("Renamed")).toEqual(["Öffne Fitness"]);
});

test("redeems in several languages share a statement, and each has its own", async () => {
  const { tenant, metacode } = await referringTenant({ codes: 30 });
  const languages = ["de", "ja", undefined, "ar"] as const;
  const answers: [string, string][] = [];
  const statements = await statementsOf(async () => {
    await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const request = { refereeUid: `bob${n}`, metacode, platform: "ios", clickId: undefined } as const;
        const { body, language } = await redeemMetacode(tenant.ctx, {
          ...request,
          language: languages[n % 4],
        });
        answers[n] = [body.instructions, language];
      }),
    );
  });
  expect(countCalls(statements, "redeem_together")).toBeGreaterThan(0);
  expect(answers).toEqual(
    Array.from({ length: 12 }, (_, n) => {
      const language = languages[n % 4] ?? "en";
      return [API_MESSAGES[language].redeemIos, language];
    }),
  );
});
