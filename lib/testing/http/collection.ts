import { createRequire } from "node:module";
import { openApiDocument } from "@/lib/web/openapi/document";

/** A part of a Postman collection: a folder, or a request. */
export interface CollectionItem {
  name: string;
  item?: CollectionItem[];
  request?: {
    method: string;
    url: { path: string[]; query?: Pair[]; variable?: Pair[] };
    header: Pair[];
    body?: { raw: string };
  };
}

interface Pair {
  key: string;
  value: string;
  disabled?: boolean;
}

interface Collection {
  item: CollectionItem[];
  variable: { key: string; value: string }[];
}

interface Conversion {
  result: boolean;
  reason?: string;
  output?: { data: Collection }[];
}

interface Converter {
  convertV2(input: object, options: object, done: (error: unknown, conversion: Conversion) => void): void;
}

const OPTIONS = {
  folderStrategy: "Tags",
  requestNameSource: "Fallback",
  parametersResolution: "Example",
  enableOptionalParameters: false,
  keepImplicitHeaders: false,
};

/** The API as a Postman collection: one request per operation, with the example of the document. */
export async function makeCollection(): Promise<Collection> {
  const converter = createRequire(import.meta.url)("openapi-to-postmanv2") as Converter;
  const data = openApiDocument("http://localhost:3000");
  const conversion = await new Promise<Conversion>((resolve, reject) => {
    converter.convertV2({ type: "json", data }, OPTIONS, (error, made) =>
      error ? reject(error) : resolve(made),
    );
  });
  const made = conversion.output?.[0]?.data;
  if (!made) throw new Error(conversion.reason ?? "no collection was made");
  const collection = JSON.parse(JSON.stringify(made, withoutNoise)) as Collection;
  // Drops the folder of the webhooks, which has no requests.
  return { ...collection, item: collection.item.filter(({ item }) => item?.length !== 0) };
}

/** Drops random ids, and responses: 15 per request would make the file ten times as long. */
function withoutNoise(this: unknown, key: string, value: unknown): unknown {
  if (key === "_postman_id" || key === "_") return undefined;
  if (key === "id" && typeof value === "string" && isPart(this)) return undefined;
  if (key === "response") return [];
  return value;
}

const isPart = (holder: unknown) =>
  typeof holder === "object" &&
  holder !== null &&
  ("request" in holder || "item" in holder || "body" in holder);

/** Every request of a collection with the names of its folders. */
export function requestsOf(items: readonly CollectionItem[]): CollectionItem[] {
  return items.flatMap((item) => (item.item ? requestsOf(item.item) : [item]));
}
