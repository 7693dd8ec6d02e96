import { cp } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { test } from "vitest";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { clientFolder, expectWalk, hasRegistry, runCommand, writeGuide } from "@/lib/testing/clients/walk";
import { useServer } from "@/lib/testing/http/use-server";
import { useService } from "@/lib/testing/service";

const port = await freePort();
useService();
useServer(port);

const FOLDER = "lib/testing/clients/react-native";

const missing = (await hasRegistry()) ? "" : " (not run: needs a registry of npm)";

test.skipIf(missing)(
  `the React Native client compiles against its packages and loses no code${missing}`,
  async () => {
    const folder = await clientFolder("react-native");
    await cp(FOLDER, folder, { recursive: true });
    await writeGuide(folder, "react-native", ["ts", "tsx"]);
    await runCommand("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
    await runCommand(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "."], folder);
    const stand = (name: string) => join(folder, "stand-ins", name);
    await build({
      entryPoints: [join(folder, "main.ts")],
      outfile: join(folder, "main.mjs"),
      bundle: true,
      platform: "node",
      format: "esm",
      // Renders nothing.
      tsconfigRaw: {},
      jsx: "transform",
      jsxFactory: "Array.of",
      alias: {
        react: stand("react.ts"),
        "react-native": stand("react-native.ts"),
        "@react-native-async-storage/async-storage": stand("async-storage.ts"),
        // Node needs no polyfill for secure random numbers.
        "react-native-get-random-values": "node:crypto",
      },
    });
    await expectWalk(`http://127.0.0.1:${port}`, (url, key) =>
      runCommand(process.execPath, ["main.mjs", url, key], folder),
    );
  },
);
