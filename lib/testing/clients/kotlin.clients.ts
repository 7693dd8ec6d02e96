import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { test } from "vitest";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { clientFolder, expectWalk, hasTool, runCommand, writeGuide } from "@/lib/testing/clients/walk";
import { useServer } from "@/lib/testing/http/use-server";
import { useService } from "@/lib/testing/service";

const port = await freePort();
useService();
useServer(port);

const FOLDER = "lib/testing/clients/kotlin";
/** Android's own org.json, from Debian's package libandroid-json-java. */
const JSON_JAR = "/usr/share/java/com.android.json.jar";
const java = await hasTool("java", "-version");
const missing = java && existsSync(JSON_JAR) ? "" : " (not run: needs java and libandroid-json-java)";

test.skipIf(missing)(`the Kotlin client compiles with its imports and loses no code${missing}`, async () => {
  const folder = await clientFolder("kotlin");
  await cp(FOLDER, folder, { recursive: true });
  await writeGuide(join(folder, "src"), "kotlin", ["kotlin"]);
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
