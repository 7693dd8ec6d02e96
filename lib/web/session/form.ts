import { env } from "@/lib/platform/env";

/** The fields of a form: texts and lists by name, and groups of them. */
interface FormFields {
  [name: string]: string | string[] | FormFields | undefined;
}

/**
 * A form's fields as an object for zod: text unchanged, an empty field as undefined, a repeated field or one named
 * `name[]` as a list, `group.name` as a field of a group, so that an error's path is its field's name. Files and Next's
 * own fields are left out.
 */
export function readForm(form: FormData): FormFields {
  const fields: FormFields = {};
  for (const name of new Set(form.keys())) {
    if (name.startsWith("$")) continue;
    const texts = form.getAll(name).filter((value) => typeof value === "string" && value !== "") as string[];
    if (name.endsWith("[]")) put(fields, name.slice(0, -2), texts);
    else put(fields, name, texts.length > 1 ? texts : texts[0]);
  }
  return fields;
}

/** Sets a field; {@link define} instead of an assignment makes `__proto__` a field like any other. */
function put(fields: FormFields, name: string, value: string | string[] | undefined): void {
  const [first, ...rest] = name.split(".");
  if (first === undefined || rest.length === 0) {
    define(fields, name, value);
    return;
  }
  const present = Object.hasOwn(fields, first) ? fields[first] : undefined;
  const group: FormFields = isGroup(present) ? present : {};
  define(fields, first, group);
  put(group, rest.join("."), value);
}

function define(fields: FormFields, name: string, value: FormFields[string]): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

function isGroup(value: FormFields[string]): value is FormFields {
  return typeof value === "object" && !Array.isArray(value);
}

/**
 * Whether a request was sent by a page of this site: its Origin is APP_URL, or another host that it was sent to. Without
 * an Origin the browser's Sec-Fetch-Site decides.
 */
export function fromOurPage(headers: Pick<Headers, "get">): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") === "same-origin";
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  const app = new URL(env().APP_URL);
  // The unencrypted page of our own host may be another's, who sits between.
  return host === app.host ? origin === app.origin : host === headers.get("host");
}
