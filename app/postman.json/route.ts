import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { documentRoute } from "@/lib/web/http/document";

const FILE = "docs/metacode.postman_collection.json";

/** The API as a Postman collection, which a test compares with the OpenAPI document. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = documentRoute({
  name: "postman",
  type: "application/json; charset=utf-8",
  read: () => readFile(join(/* turbopackIgnore: true */ process.cwd(), FILE), "utf8"),
});
