import { expect, test } from "vitest";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { ERROR_STATUS } from "@/lib/platform/errors";

test("every error code is explained, and no other", () => {
  expect(Object.keys(ERROR_HELP).sort()).toEqual(Object.keys(ERROR_STATUS).sort());
});
