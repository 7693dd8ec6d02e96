import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import {
  clientFolder,
  expectWalk,
  hasTool,
  runCommand,
  writeGuide,
  writeReference,
} from "@/lib/testing/clients/walk";
import { useServer } from "@/lib/testing/http/use-server";
import { useService } from "@/lib/testing/service";

const port = await freePort();
useService();
useServer(port);

const FOLDER = "lib/testing/clients/swift";
/** Outside Apple's platforms URLSession is in its own module. */
const IMPORTS =
  "import Foundation\n#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\n";
const missing = (await hasTool("swiftc", "--version")) ? "" : " (not run: needs swiftc)";

/** A sample of the reference as a function. */
const asFunction = (imports: string, body: string, index: number) =>
  `${imports}func sample${index}(intentionId: String) async throws -> Any {\n${body}\nreturn (data, response)\n}\n`;

test.skipIf(missing)(
  `the Swift of the guides and the reference compiles in Swift 6 mode and loses no code${missing}`,
  async () => {
    const folder = await clientFolder("swift");
    for (const guide of ["swift", "deep-links"]) await writeGuide(folder, guide, ["swift"]);
    await writeReference(folder, "swift", asFunction);
    const sources: string[] = [];
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), "utf8");
      await writeFile(join(folder, name), IMPORTS + text.replace("import SwiftUI\n", ""));
      sources.push(name);
    }
    await cp(FOLDER, folder, { recursive: true });
    const files = [...sources, ...(await readdir(FOLDER))].map((name) => join(folder, name));
    await runCommand("swiftc", ["-swift-version", "6", "-o", join(folder, "client"), ...files], folder);
    await expectWalk(`http://127.0.0.1:${port}`, (url, key) =>
      runCommand(join(folder, "client"), [url, key], folder),
    );
  },
);

test.skipIf(missing)(
  `the Swift that needs SwiftUI, StoreKit or RevenueCat can be parsed${missing}`,
  async () => {
    const folder = await clientFolder("swift-parts");
    for (const guide of ["swift", "deep-links"]) await writeGuide(folder, guide, ["swift"], { inner: true });
    const parts = await readdir(folder);
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts) await runCommand("swiftc", ["-parse", join(folder, part)], folder);
  },
);
