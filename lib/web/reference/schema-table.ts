import type { JsonObject } from "@/lib/web/openapi/schemas";

/** The fields that a table marks: those that a request must have, or those that a response may lack. */
type Marked = "required" | "optional";

interface Field {
  name: string;
  type: string;
  description: string;
}

type Resolve = (schema: JsonObject) => JsonObject;

/** Follows references to the components of a document. */
export function resolverOf(document: JsonObject): Resolve {
  const { schemas } = document.components as { schemas: Record<string, JsonObject> };
  return (schema) => {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref))?.[1];
    return name === undefined ? schema : (schemas[name] ?? {});
  };
}

const quoted = (value: unknown) => `\`${String(value)}\``;

/** The type of a value in words, such as "string (uuid)" or "`ios` or `android`". */
function typeOf(raw: JsonObject, resolve: Resolve): string {
  const schema = resolve(raw);
  if (schema.const !== undefined) return quoted(schema.const);
  if (Array.isArray(schema.enum))
    return schema.enum
      .map(quoted)
      .join(", ")
      .replace(/, (?=[^,]*$)/, " or ");
  const options = (schema.anyOf ?? schema.oneOf) as JsonObject[] | undefined;
  if (options) return [...new Set(options.map((option) => typeOf(option, resolve)))].join(" or ");
  if (schema.type === "array") return `array of ${typeOf((schema.items ?? {}) as JsonObject, resolve)}`;
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  return `${String(schema.type ?? "any value")}${schema.format ? ` (${schema.format})` : ""}`;
}

/** The fields of an object, those of inner objects with their path. Objects with the same fields are listed once. */
function fieldsOf(raw: JsonObject, resolve: Resolve, marked: Marked, path = ""): Field[] {
  const schema = resolve(raw);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  const required = new Set((schema.required ?? []) as string[]);
  const listed = new Map<string, string>();
  return properties.flatMap(([key, property]) => {
    const name = `${path}${key}`;
    const inner = innerOf(property, resolve);
    const mark = required.has(key) === (marked === "required") ? `, ${marked}` : "";
    const type = `${typeOf(property, resolve)}${mark}`;
    const description = String(property.description ?? resolve(property).description ?? "");
    const equal = inner && listed.get(JSON.stringify(inner.schema));
    if (equal) return [{ name, type, description: `As \`${equal}\`.` }];
    const row = { name, type, description };
    if (!inner) return [row];
    listed.set(JSON.stringify(inner.schema), name);
    return [row, ...fieldsOf(inner.schema, resolve, marked, `${name}${inner.suffix}.`)];
  });
}

/** The schema of a property that is an object or a list of objects. */
function innerOf(property: JsonObject, resolve: Resolve): { schema: JsonObject; suffix: string } | undefined {
  const schema = resolve(property);
  if (schema.properties) return { schema, suffix: "" };
  const items = schema.items ? resolve(schema.items as JsonObject) : undefined;
  if (items?.properties) return { schema: items, suffix: "[]" };
  const option = (schema.anyOf as JsonObject[] | undefined)?.map(resolve).find((part) => part.properties);
  return option && { schema: option, suffix: "" };
}

const cell = (text: string) => text.replaceAll("|", "\\|").replace(/\s+/g, " ");

/** A table in Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The fields of a schema as a table in Markdown. */
export function fieldTable(schema: JsonObject, resolve: Resolve, marked: Marked): string {
  const rows = fieldsOf(schema, resolve, marked).map(({ name, type, description }) => [
    quoted(name),
    type,
    description,
  ]);
  return tableOf(["Field", "Type", "Meaning"], rows);
}
