import { describe, expect, test } from "vitest";
import { resolveAddress } from "./client-address";

const OWN = "10.0.0.9";

describe("the address of a caller behind proxies", () => {
  test.each([
    ["the last entry behind one proxy, whatever the caller wrote before it", 1, "198.51.100.1"],
    ["the entry before it behind two", 2, "203.0.113.7"],
    ["the first of a chain that is shorter than the proxies", 5, "203.0.113.7"],
    ["that of the connection without a proxy", 0, OWN],
  ])("is %s", (_, hops, address) => {
    expect(resolveAddress(OWN, "203.0.113.7, 198.51.100.1", hops)).toBe(address);
  });

  test.each([
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["1.2.3.4:80", "1.2.3.4"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
  ])("loses port and brackets: %s", (entry, address) => {
    expect(resolveAddress(OWN, `192.0.2.66, ${entry}`, 1)).toBe(address);
  });

  test.each(["", "unknown", "_hidden", "1.2.3", "host:80", "2001:db8::1]:443"])(
    "is that of the connection where the entry is no address: %j",
    (entry) => {
      expect(resolveAddress(OWN, `192.0.2.66, ${entry}`, 1)).toBe(OWN);
    },
  );

  test("is that of the connection without the header, and unknown without either", () => {
    expect(resolveAddress("::ffff:10.0.0.9", undefined, 1)).toBe(OWN);
    expect(resolveAddress(undefined, undefined, 1)).toBe("unknown");
  });
});
