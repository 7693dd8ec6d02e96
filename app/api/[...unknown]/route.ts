import { fail } from "@/lib/platform/errors";
import { route } from "@/lib/web/http/route";

const notFound = async () => fail("NOT_FOUND", "No such endpoint");

/** All paths below `/api` without a route of their own: 404 for every method. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: notFound,
  HEAD: notFound,
  OPTIONS: notFound,
  POST: notFound,
  PUT: notFound,
  PATCH: notFound,
  DELETE: notFound,
});
