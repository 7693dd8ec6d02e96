import { fail } from "@/lib/platform/errors";
import { route } from "@/lib/web/http/route";

const notFound = async () => fail("NOT_FOUND", "There is no such endpoint");

/** All other paths below `/api`: 404 for every method. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: notFound,
  HEAD: notFound,
  OPTIONS: notFound,
  POST: notFound,
  PUT: notFound,
  PATCH: notFound,
  DELETE: notFound,
});
