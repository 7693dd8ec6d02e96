import { describe, expect, it } from "vitest";
import { addressBucket } from "@/lib/platform/limits/address";

describe("the bucket of an address", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:0207", "192.0.2.7"],
    ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["64:ff9b::192.0.2.7", "192.0.2.7"],
    ["64:ff9b:1::192.0.2.7", "64:ff9b:1:0::/64"],
  ])("counts %s as %s", (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });

  it.each(["", "localhost", "1.2.3", "1.2.3.4, 5.6.7.8", "2001:db8:::1", "x".repeat(10_000)])(
    "puts what is no address (%#) into one bucket",
    (address) => {
      expect(addressBucket(address)).toBe("unknown");
    },
  );
});
