import { fail } from "@/lib/errors";
import { route } from "@/lib/http/route";

const notFound = async () => fail("NOT_FOUND", "No such endpoint");

/** Whatever has no route of its own below `/api`: 404 for every method. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: notFound,
  HEAD: notFound,
  OPTIONS: notFound,
  POST: notFound,
  PUT: notFound,
  PATCH: notFound,
  DELETE: notFound,
});
