import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { test } from "vitest";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import {
  clientFolder,
  expectWalk,
  hasRegistry,
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

const FOLDER = "lib/testing/clients/kotlin";
/** Android's own org.json, from Debian's package libandroid-json-java. */
const JSON_JAR = "/usr/share/java/com.android.json.jar";
const java = (await hasTool("java", "-version")) && existsSync(JSON_JAR);
const missing =
  java && (await hasRegistry()) ? "" : " (not run: needs java, libandroid-json-java and a registry of npm)";

/** A sample of the reference as a function. */
const asFunction = (imports: string, body: string, index: number) =>
  `${imports}fun sample${index}(intentionId: String) {\n${body}\n}\n`;

// Leaves out the set-up of RevenueCat's SDK, which no package of npm or Debian has.
const NAME = "the Kotlin of the guides and the reference compiles, but for RevenueCat's, and loses no code";

test.skipIf(missing)(`${NAME}${missing}`, async () => {
  const folder = await clientFolder("kotlin");
  await cp(FOLDER, folder, { recursive: true });
  for (const guide of ["kotlin", "deep-links"]) await writeGuide(join(folder, "src"), guide, ["kotlin"]);
  await writeReference(join(folder, "src"), "kotlin", asFunction);
  await runCommand("npm", ["install", "--no-audit", "--no-fund"], folder);
  const jar = (name: string) => join(folder, "node_modules/kotlin-compiler/lib", `${name}.jar`);
  const compiler = ["kotlin-compiler", "kotlin-stdlib", "kotlin-script-runtime", "kotlin-reflect"];
  const libraries = [jar("kotlin-stdlib"), jar("kotlinx-coroutines-core-jvm"), JSON_JAR].join(delimiter);
  const path = [...compiler, "kotlinx-coroutines-core-jvm", "annotations-13.0"].map(jar).join(delimiter);
  const main = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler";
  const options = ["-no-stdlib", "-no-reflect", "-cp", libraries, "-d", "client.jar"];
  await runCommand("java", ["-cp", path, main, ...options, "src"], folder);
  await expectWalk(`http://127.0.0.1:${port}`, (url, key) =>
    runCommand("java", ["-cp", `client.jar${delimiter}${libraries}`, "MainKt", url, key], folder),
  );
});
