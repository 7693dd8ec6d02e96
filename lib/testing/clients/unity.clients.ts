import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "vitest";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { clientFolder, expectWalk, hasTool, runCommand, writeGuide } from "@/lib/testing/clients/walk";
import { useServer } from "@/lib/testing/http/use-server";
import { useService } from "@/lib/testing/service";

const port = await freePort();
useService();
useServer(port);

const FOLDER = "lib/testing/clients/unity";
const USINGS = "using System;\nusing System.Threading.Tasks;\nusing UnityEngine;\n";
const tools = (await hasTool("mcs", "--version")) && (await hasTool("mono", "--version"));
const missing = tools ? "" : " (not run: needs mono, mcs and libmono-system-web-extensions4.0-cil)";

test.skipIf(missing)(`the Unity client compiles with Mono and loses no code${missing}`, async () => {
  const folder = await clientFolder("unity");
  await writeGuide(folder, "unity", ["csharp"]);
  for (const name of await readdir(folder)) {
    const text = await readFile(join(folder, name), "utf8");
    if (text.startsWith("using")) continue;
    // Parts of a script, which the guide shows without their class.
    if (/^public async/m.test(text))
      await writeFile(join(folder, name), `${USINGS}public partial class ReferralScreen {\n${text}}\n`);
    else await writeFile(join(folder, name), `using System.Linq;\n${USINGS}${text}`);
  }
  await cp(FOLDER, folder, { recursive: true });
  const sources = (await readdir(folder)).filter((name) => name.endsWith(".cs"));
  const options = ["-langversion:7.2", "-r:System.Web.Extensions", "-out:client.exe"];
  await runCommand("mcs", [...options, ...sources], folder);
  await expectWalk(`http://127.0.0.1:${port}`, (url, key) =>
    runCommand("mono", ["client.exe", url, key], folder),
  );
});
