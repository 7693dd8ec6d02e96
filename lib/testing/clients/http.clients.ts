import { cp } from "node:fs/promises";
import { test } from "vitest";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { clientFolder, expectWalk, runCommand, writeGuide } from "@/lib/testing/clients/walk";
import { useServer } from "@/lib/testing/http/use-server";
import { useService } from "@/lib/testing/service";

const port = await freePort();
useService();
useServer(port);

test("the client of plain HTTP sends its own headers and loses no code", async () => {
  const folder = await clientFolder("http");
  await cp("lib/testing/clients/http", folder, { recursive: true });
  await writeGuide(folder, "http", ["js"]);
  await expectWalk(`http://127.0.0.1:${port}`, (url, key) =>
    runCommand(process.execPath, ["main.mjs", url, key], folder),
  );
});
