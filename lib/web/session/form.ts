import { fail } from "@/lib/platform/errors";

/** The fields of a form: texts and lists by name, and groups of them. */
interface FormFields {
  [name: string]: string | string[] | FormFields | undefined;
}

/** Limits that no page comes near (the longest list has 200 rows). Without them, one form could occupy the process. */
const MOST_FIELDS = 2_000;
const LONGEST_NAME = 200;
const MOST_PARTS = 5;

/**
 * A form's fields as an object for zod: a text with `\n` for line breaks, an empty field as undefined, a repeated field
 * or one named `name[]` as a list, `group.name` as a field of a group, so that an error's path is its field's name.
 * Leaves out files and Next's own fields. Throws VALIDATION_ERROR for more or longer names than a page sends.
 */
export function readForm(form: FormData): FormFields {
  const fields: FormFields = {};
  for (const [name, texts] of textsByName(form)) {
    if (name.endsWith("[]")) put(fields, name.slice(0, -2), texts);
    else put(fields, name, texts.length > 1 ? texts : texts[0]);
  }
  return fields;
}

function textsByName(form: FormData): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [at, [name, value]] of [...form].entries()) {
    if (at >= MOST_FIELDS || name.length > LONGEST_NAME || name.split(".").length > MOST_PARTS)
      fail("VALIDATION_ERROR", "This form has more fields or longer names than any page of this site sends");
    if (name.startsWith("$")) continue;
    const texts = found.get(name) ?? [];
    // Browsers send a line break as two characters, which apps would show and a limit would count.
    if (typeof value === "string" && value !== "") texts.push(value.replaceAll("\r\n", "\n"));
    found.set(name, texts);
  }
  return found;
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
