import { expect, test } from "vitest";
import config from "./vitest.config";

test("npm run test:clients runs the clients and nothing else", () => {
  expect(config.test?.projects).toBeUndefined();
  expect(config.test?.include).toEqual(["lib/testing/clients/*.clients.ts"]);
});
