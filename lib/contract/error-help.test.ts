import { expect, test } from "vitest";
import { ERROR_HELP, UNLOGGED_CODES } from "@/lib/contract/error-help";
import { ERROR_STATUS } from "@/lib/errors";

test("every error code is explained, and no other", () => {
  const explained = [...Object.keys(ERROR_HELP), ...UNLOGGED_CODES];
  expect(explained.sort()).toEqual(Object.keys(ERROR_STATUS).sort());
});
