import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { checkCodeFile } from "./check-file";
import { FileShape } from "./file-shape";
import { importCodes } from "./import";
import { parseCodes } from "./parse";

useService();

async function* sourceOf(text: string) {
  yield text;
}

async function orderOf(file: string) {
  const shape = new FileShape("ios");
  for await (const _ of parseCodes(sourceOf(file), { platform: "ios", kind: "one_time" }, shape));
  return shape.orderOfDates();
}

/** Rows with a code and a date. */
const dated = (...dates: string[]) => dates.map((date, index) => `GOOD123${index},${date}\n`).join("");

test.each<[string, string, unknown]>([
  ["a day above 12 in front", dated("05/12/2090", "31/12/2090"), { evident: "day", unclear: null }],
  ["a day above 12 behind", dated("05-12-2090", "12-31-2090 10:00"), { evident: "month", unclear: null }],
  [
    "no day above 12",
    dated("", "07/07/2090", "05/12/2090", "06/12/2090"),
    { evident: null, unclear: { text: "05/12/2090", day: "2090-12-05", month: "2090-05-12" } },
  ],
  [
    "days above 12 in both places",
    dated("31/12/2090", "5/12/2090", "12/31/2090"),
    { evident: null, unclear: { text: "5/12/2090", day: "2090-12-05", month: "2090-05-12" } },
  ],
  [
    "other dates",
    dated("2090-05-12", "5.12.2090", "07/07/2090", "05/12/2090 at noon"),
    { evident: null, unclear: null },
  ],
])("tells the order of day and month by %s", async (_name, file, order) => {
  expect(await orderOf(`Code,Expires\n${file}`)).toEqual(order);
});

test.each(["31/02/2090", "2090-02-29", "31.04.2090"])(
  "%s is asked about, because there is no such day",
  async (day) => {
    const { ctx, pools } = await makeTenant({ codes: 0 });
    const source = sourceOf(`Code,Expires\nGOOD1234,${day}\nGOOD5678,28/02/2090\n`);
    const report = await checkCodeFile(ctx, {
      poolId: pools.ios.referee,
      kind: "one_time",
      dates: "day",
      source,
    });
    expect(report.concerns.expires).toContain(day);
  },
);

test.each(["Gültig bis", "Fecha de caducidad (UTC)"])(
  "the header %j tells that the day is first",
  async (name) => {
    const order = await orderOf(`Code;${name}\n${dated("05/12/2090").replace(",", ";")}`);
    expect(order).toEqual({ evident: "day", unclear: null });
  },
);

test.each([
  ["Date d’expiration", "Statut"],
  ["Fecha de caducidad", "Estado"],
  ["Válido até", "Situação"],
  ["Scadenza", "Stato"],
  ["Срок действия", "Статус"],
  ["有効期限", "状態"],
])("no expired code passes under the header “%s”, and “%s” is asked about", async (expires, status) => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const source = sourceOf(`Code;${expires};${status}\nGONE1234;31/12/2020;\nGOOD1234;31/12/2098;utilisé\n`);
  const report = await checkCodeFile(ctx, {
    poolId: pools.ios.referee,
    kind: "one_time",
    dates: "day",
    source,
  });
  expect(report).toMatchObject({ fresh: 1, refused: { expired: 1 }, expiresAt: "2098-12-31" });
  expect(report.concerns.status).toContain("“utilisé”");
  expect(report.dates.evident).toBe("day");
});

/** Headers of columns that say whether, when or by whom a code was redeemed. */
const USE = `Canjeado,Ya canjeado por,Déjà utilisé,Resgatado em,Usato da,Gebruikt,Wykorzystany,Использован,使用済み,已使用
Zugeteilt,Genutzt am,Usado en,Utilisés,Utilisé ?,¿Usado?,Date d'utilisation,Fecha de canje,Data de resgate,Data di utilizzo,使用日
Assigned to user,Used by customer,Redeemed by user email`;
/** Headers of a date that may be the day on which the whole list was sent. */
const SENT = `Sent,Code sent to,Code verschickt am,Date sent,Sent by,Sent to,Given,Issued,Issued to,Verschickt an,Versendet,Gesendet am,Versandt an,Ausgegeben
Envoyé à,Date d’envoi,Enviado,Fecha de envío,Inviato,Verzonden,Wysłany,Отправлен,Выдан,Handed_out,Handed_out_to,Distributed,Delivered to,Sold`;

/** Headers of columns that say by yes or no whether a code is available, in further languages. */
const AVAILABLE = `Disponible,Disponibles,Encore disponible,Disponibile,Disponível,Libre,No usado,Non utilisé,Não usado,Beschikbaar,Dostępny
Доступен,Не использован,利用可能,未使用,可用,사용 가능,Uses left,Remaining`;

async function rowsOf(file: string) {
  const rows = [];
  for await (const part of parseCodes(sourceOf(file), { platform: "ios", kind: "one_time" }))
    rows.push(...part);
  return rows;
}

test.each(USE.split(/[,\n]/))(
  "a code with a date under the header “%s” is used, and words there are asked about",
  async (header) => {
    const rows = await rowsOf(`Code;${header}\nUSED1234;2026-01-31\nASKS1234;oui\nGOOD1234;\n`);
    expect(rows).toEqual([
      { line: 2, fault: "used", text: "USED1234" },
      { line: 3, code: "ASKS1234", unread: { status: "oui" } },
      { line: 4, code: "GOOD1234" },
    ]);
  },
);

test.each(SENT.split(/[,\n]/))(
  "a code with a cross under the header “%s” is used, and dates and words there are asked about",
  async (header) => {
    const file = `Code;${header}\nUSED1234;x\nASKS1234;2026-01-31\nASKS5678;Ann\nGOOD1234;\n`;
    expect(await rowsOf(file)).toEqual([
      { line: 2, fault: "used", text: "USED1234" },
      { line: 3, code: "ASKS1234", unread: { status: "2026-01-31" } },
      { line: 4, code: "ASKS5678", unread: { status: "Ann" } },
      { line: 5, code: "GOOD1234" },
    ]);
  },
);

test.each(AVAILABLE.split(/[,\n]/))(
  "a code with a no under the header “%s” is used, and words there are asked about",
  async (header) => {
    expect(await rowsOf(`Code;${header}\nUSED1234;no\nASKS1234;non\nGOOD1234;yes\n`)).toEqual([
      { line: 2, fault: "used", text: "USED1234" },
      { line: 3, code: "ASKS1234", unread: { status: "non" } },
      { line: 4, code: "GOOD1234" },
    ]);
  },
);

test.each(["Déjà utilisé", "Eingelöst am", "使用済み", "Date d’utilisation"])(
  "the header “%s” is known with its accents as characters of their own and in full width",
  async (header) => {
    const used = [{ line: 2, fault: "used", text: "USED1234" }];
    for (const spelt of [header.normalize("NFD"), header.replace(" ", "\u3000"), `${header}（UTC）`])
      expect(await rowsOf(`Ｃｏｄｅ;${spelt}\nUSED1234;2026-01-31\n`)).toEqual(used);
    const file = `Code;${"Gültig bis".normalize("NFD")}\nGOOD1234;05/12/2090\n`;
    expect(await orderOf(file)).toMatchObject({ evident: "day" });
  },
);

test.each(["Redemptions", "Times used", "Redemption count", "Number of redemptions", "Usage count"])(
  "a code with a one under the header “%s” is used, and higher counts are asked about",
  async (header) => {
    expect(await rowsOf(`Code;${header}\nUSED1234;1\nASKS1234;2\nGOOD1234;0\n`)).toEqual([
      { line: 2, fault: "used", text: "USED1234" },
      { line: 3, code: "ASKS1234", unread: { status: "2" } },
      { line: 4, code: "GOOD1234" },
    ]);
  },
);

test.each(["Nº usados", "Nº utilizados", "№ used"])(
  "no count under “%s” is read as an answer",
  async (header) => {
    expect(await rowsOf(`Code;${header}\nGOOD1234;0\n`)).toEqual([{ line: 2, code: "GOOD1234" }]);
  },
);

test.each([
  ...[
    "Código;Canjeado",
    "Código promocional;Usado",
    "Code promo;Utilisé",
    "Codice;Usato",
    "Kod;Wykorzystany",
  ],
  ...[
    "Kortingscode;Gebruikt",
    "Промокод;Использован",
    "コード;使用済み",
    "代码;已使用",
    "代碼;已兌換",
    "코드;사용됨",
  ],
])(
  "no used code passes without a question where all headers are in another language: “%s”",
  async (header) => {
    const { ctx, pools } = await makeTenant({ codes: 0 });
    const source = sourceOf(`${header}\nUSED1234;2026-01-31\nGOOD1234;\nGOOD5678;\nGOOD9012;\n`);
    const report = await checkCodeFile(ctx, { poolId: pools.ios.referee, kind: "one_time", source });
    expect(report.concerns).toEqual({ columns: expect.stringContaining(header.replace(";", ", ")) });
  },
);

test.each([
  ["Expiration Date (UTC)", "2020-01-31", "expired"],
  ["Offer expiration date", "2020-01-31", "expired"],
  ["Promo code valid until (Pacific Time)", "2020-01-31", "expired"],
  ["Status (current)", "redeemed", "used"],
  ["Redeemed (yes/no)", "yes", "used"],
  // Beside a plainer column, one of the offer is not the code's.
  ["Offer Expiration Date,Expiration Date", "2090-01-01,2020-01-31", "expired"],
  ["Status (offer),Code status", "Active,redeemed", "used"],
  ["Offer status,Status", "Active,redeemed", "used"],
])("reads the columns %j, with a note in brackets or the offer in front", async (header, cells, fault) => {
  const rows = await rowsOf(`Code,${header}\nGOOD1234,${cells}\n`);
  expect(rows).toEqual([{ line: 2, fault, text: "GOOD1234" }]);
});

test("reads the columns of a table with commas in its cells, which semicolons or tabs separate", async () => {
  const german = 'sep=;\n"Code";"Preis";"Eingelöst"\nUSED1234;5,0;ja\nGOOD1234;5,0;nein\n';
  expect(await rowsOf(german)).toMatchObject([{}, { fault: "used", text: "USED1234" }, { code: "GOOD1234" }]);
  const pasted = "Code\tOffer\tValid until\nGONE1234\tSpring, 50% off\tDec 31, 2020\n";
  expect(await rowsOf(pasted)).toEqual([{ line: 2, fault: "expired", text: "GONE1234" }]);
});

test("reads the expiry and what has expired in the order of day and month that the sender chooses", async () => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const file = (content: string) => ({
    poolId: pools.ios.referee,
    kind: "one_time" as const,
    source: sourceOf(content),
  });
  const text = "Code,Expires\nGOOD1234,05/12/2098\nGOOD5678,06/11/2098\nGOOD9012,12/11/2098\n";
  const check = (dates?: "day" | "month") => checkCodeFile(ctx, { ...file(text), dates });
  const unclear = { text: "05/12/2098", day: "2098-12-05", month: "2098-05-12" };
  const month = { expiresAt: "2098-05-12", dates: { order: "month", evident: null, unclear } };
  expect(await check()).toMatchObject(month);
  expect(await check("month")).toMatchObject(month);
  expect(await check("day")).toMatchObject({
    expiresAt: "2098-11-06",
    dates: { order: "day", evident: null, unclear },
  });
  const passed = new Date(Date.now() - DAY_MS);
  const [day, other] = [passed.getUTCDate(), passed.getUTCMonth() + 1];
  const [gone, year] = [`${day}/${other}/${passed.getUTCFullYear()}`, passed.getUTCFullYear() + 60];
  const old = `Code,Redeemed,Expires\nGONE1234,,${gone}\nUSED1234,${gone},\nGOOD1234,,31/12/${year}\n`;
  const before = await checkCodeFile(ctx, { ...file(old), dates: "day" });
  expect(before).toMatchObject({ fresh: 1, refused: { expired: 1, used: 1 }, dates: { evident: "day" } });
  const imported = await importCodes(ctx, { ...file(old), dates: "day", batchId: before.batchId });
  expect(imported).toMatchObject({ imported: 1 });
});
