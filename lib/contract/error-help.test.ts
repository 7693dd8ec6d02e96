import { expect, test } from "vitest";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { ERROR_STATUS } from "@/lib/platform/errors";

/** A request with a valid key never ends with these. */
const UNLOGGED = "UNAUTHORIZED";

test("every error code is explained, and no other", () => {
  const explained = [...Object.keys(ERROR_HELP), UNLOGGED];
  expect(explained.sort()).toEqual(Object.keys(ERROR_STATUS).sort());
});
