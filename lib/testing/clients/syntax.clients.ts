import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  clientFolder,
  hasRegistry,
  runCommand,
  writeGuide,
  writeReference,
} from "@/lib/testing/clients/walk";
import { useService } from "@/lib/testing/service";

useService();

const missing = (await hasRegistry()) ? "" : " (not run: needs a registry of npm)";

/** Parses all files with an extension in a folder and returns their number. */
async function parse(folder: string, extension: string): Promise<number> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(extension));
  await runCommand(process.execPath, ["parse.mjs", ...files], folder);
  return files.length;
}

const NAME = "the Dart of the guide and the reference can be parsed, and so can the C# of the reference";

test.skipIf(missing)(`${NAME}${missing}`, async () => {
  const folder = await clientFolder("syntax");
  await cp("lib/testing/clients/syntax", folder, { recursive: true });
  await runCommand("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
  await writeGuide(folder, "flutter", ["dart"]);
  const parts = await clientFolder("syntax-parts");
  await writeGuide(parts, "flutter", ["dart"], { inner: true });
  for (const part of await readdir(parts)) {
    const text = await readFile(join(parts, part), "utf8");
    await writeFile(join(folder, part), `void main() {\n${text}\n}\n`);
  }
  await writeReference(folder, "dart", (imports, body) => `${imports}void main() async {\n${body}\n}\n`);
  await writeReference(folder, "csharp", (imports, body) => `${imports}${body}\n`);
  await writeFile(join(folder, "broken.dart"), "void main() { final answer = (; }\n");
  await expect(parse(folder, "broken.dart")).rejects.toThrow("broken.dart:1");
  await writeFile(join(folder, "broken.dart"), "");
  expect(await parse(folder, ".dart")).toBeGreaterThan(15);
  expect(await parse(folder, ".cs")).toBeGreaterThan(8);
});

// No package of npm or Debian compiles Dart or the C# of .NET; Mono's compiler knows neither `using var` nor JsonContent.
test.todo("the Flutter client compiles and loses no code (not run: needs dart)");
test.todo("the C# of the reference compiles (not run: needs dotnet)");
