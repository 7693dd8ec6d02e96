/** What a form holds: texts and lists by name, and groups of them. */
interface FormFields {
  [name: string]: string | string[] | FormFields | undefined;
}

/**
 * A form's fields as an object for zod: text as it is, an empty field as nothing, a field given several times or
 * named `name[]` as a list, `group.name` as a field of a group, so that an error's path is its field's name. Files and
 * the framework's own fields are left out.
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

/** Defined and not assigned, so that a name such as `__proto__` is a field like any other. */
function put(fields: FormFields, name: string, value: string | string[] | undefined): void {
  const [first, ...rest] = name.split(".");
  if (first === undefined || rest.length === 0) {
    own(fields, name, value);
    return;
  }
  const present = Object.hasOwn(fields, first) ? fields[first] : undefined;
  const group: FormFields = isGroup(present) ? present : {};
  own(fields, first, group);
  put(group, rest.join("."), value);
}

function own(fields: FormFields, name: string, value: FormFields[string]): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

function isGroup(value: FormFields[string]): value is FormFields {
  return typeof value === "object" && !Array.isArray(value);
}
