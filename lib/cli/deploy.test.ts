import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readlink, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { findProgram } from "@/lib/cli/step";
import { PINNED_SETTINGS } from "@/lib/platform/db/client";
import { settings } from "@/lib/platform/env";
import { MAX_SPOOLED } from "@/lib/program/confirmations/spool";
import { temporaryFolder } from "@/lib/testing/folder";
import { needing } from "@/lib/testing/needing";
import { MAX_DELIVERY_BYTES } from "@/lib/web/http/provider-endpoint";
import { MAX_UPLOAD_BYTES } from "@/lib/web/http/upload";

const run = promisify(execFile);

const FOLDER = "deploy";
const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" });
const read = (file: string) => readFileSync(join(FOLDER, file), "utf8");
/** The package has no types. */
const yaml = createRequire(import.meta.url)("js-yaml") as {
  loadAll(text: string): Record<string, unknown>[];
};
const documentsOf = (file: string) => yaml.loadAll(read(file));

const CHECKERS = {
  haproxy: await findProgram("haproxy"),
  systemd: await findProgram("systemd-analyze"),
  patroni: await findProgram("patroni"),
  prometheus: await findProgram("promtool"),
};

/** Variables of other programs that files of `deploy/` set. */
const FOREIGN = /^(POSTGRES_\w+|TMPDIR|NODE_ENV)$/;

test.each(files.filter((file) => file.endsWith(".yaml")))("%s is YAML without repeated keys", (file) => {
  for (const document of documentsOf(file)) expect(document).toBeTypeOf("object");
});

test("every variable that a file sets is a setting of the service", () => {
  const texts = ["Containerfile", "compose.yaml", "kubernetes/metacode.yaml", "metacode.service"].map(read);
  const names = texts.flatMap((text) => [
    ...[...text.matchAll(/^\s+([A-Z][A-Z_]+): /gm)].map(([, name]) => name),
    ...[...text.matchAll(/name: ([A-Z][A-Z_]+),/g)].map(([, name]) => name),
    ...[...text.matchAll(/^(?:ENV|Environment=).*$/gm)].flatMap(([line]) =>
      [...line.matchAll(/([A-Z][A-Z_]+)=(?=\S)/g)].map(([, name]) => name),
    ),
  ]);
  expect(names.length).toBeGreaterThan(20);
  for (const name of new Set(names)) {
    if (!FOREIGN.test(name ?? "")) expect(Object.keys(settings.shape)).toContain(name);
  }
});

describe("the image", () => {
  const text = read("Containerfile");
  const last = text.slice(text.lastIndexOf("FROM node"));

  test("is built in one stage and runs in another, without rights, npm and compiler", () => {
    expect(text.match(/^FROM /gm)).toHaveLength(2);
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^COPY --from=build --chown=root:root \S+ \/app$/m);
    expect(last).not.toMatch(/npm (ci|install|run)/);
  });

  test("is built without the settings of an installation, wherever they are", () => {
    const ignored = readFileSync(".dockerignore", "utf8").split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["**/.env*", "!.env.example"]));
  });

  test("ends with SIGTERM and checks its own life", () => {
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(last).toContain("/api/live");
    expect(last).toMatch(/^ENTRYPOINT \["node", "server.js"\]$/m);
  });
});

interface Pod {
  kind: string;
  spec: { template: { spec: { containers: Record<string, { [key: string]: unknown }>[] } } };
}

test("pods are alive by /api/live, ready by /api/ready (those of web instances without the database, too), and cannot write their image", () => {
  const deployments = (documentsOf("kubernetes/metacode.yaml") as unknown as Pod[]).filter(
    ({ kind }) => kind === "Deployment",
  );
  expect(deployments).toHaveLength(2);
  for (const [index, { spec }] of deployments.entries()) {
    const [container] = spec.template.spec.containers;
    const path = index === 0 ? "/api/ready?database=ignore" : "/api/ready";
    expect(container).toMatchObject({
      livenessProbe: { httpGet: { path: "/api/live" } },
      readinessProbe: { httpGet: { path } },
      securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
    });
  }
});

test("a pod may take an hour to start, because it migrates before its port opens", () => {
  for (const { kind, spec } of documentsOf("kubernetes/metacode.yaml") as unknown as Pod[]) {
    const [container] = kind === "Deployment" ? spec.template.spec.containers : [];
    const { periodSeconds = 0, failureThreshold = 0 } = container?.startupProbe ?? {};
    if (container) expect(Number(periodSeconds) * Number(failureThreshold)).toBe(3_600);
  }
});

test("a web pod has room for all confirmations that may wait for the database: beyond it, it would be evicted with them", () => {
  const [, limit = 0] = /emptyDir: \{ sizeLimit: (\d+)Gi \}/.exec(read("kubernetes/metacode.yaml")) ?? [];
  expect(Number(limit) * 1024 ** 3).toBeGreaterThan(MAX_SPOOLED * MAX_DELIVERY_BYTES);
});

test("the service of compose cannot write its image, and gets every setting of .env", () => {
  const [{ services } = {}] = documentsOf("compose.yaml") as { services?: unknown }[];
  expect(services).toMatchObject({
    metacode: {
      read_only: true,
      cap_drop: ["ALL"],
      tmpfs: ["/tmp"],
      env_file: ".env",
      environment: { DATA_DIR: "/data", PORT: 3000 },
    },
  });
});

test("compose counts on one proxy, because only its own machine reaches its port", () => {
  const [{ services } = {}] = documentsOf("compose.yaml") as { services?: unknown }[];
  const environment = expect.objectContaining({ TRUSTED_PROXIES: expect.stringContaining(":-1}") });
  expect(services).toMatchObject({ metacode: { environment, ports: ["127.0.0.1:3000:3000"] } });
});

test("the ingress takes code files as large as the service does", () => {
  const ingress = documentsOf("kubernetes/metacode.yaml").find(({ kind }) => kind === "Ingress");
  const annotations = { "nginx.ingress.kubernetes.io/proxy-body-size": `${MAX_UPLOAD_BYTES / 1024 ** 2}m` };
  expect(ingress).toMatchObject({ metadata: { annotations } });
});

test("the pooler's role carries what a direct connection pins", () => {
  const role = read("pgbouncer/role.sql");
  for (const [name, value] of Object.entries(PINNED_SETTINGS))
    expect(role).toContain(`SET ${name} = '${value}';`);
});

test("a PostgreSQL node that other machines reach by TLS alone has a certificate", () => {
  const [patroni] = documentsOf("patroni/patroni.yaml");
  expect(patroni).toMatchObject({
    postgresql: {
      pg_hba: expect.arrayContaining([expect.stringMatching(/^hostssl replication /)]),
      parameters: { ssl: "on", ssl_cert_file: expect.any(String), ssl_key_file: expect.any(String) },
    },
  });
});

test("instances on other machines reach the database through the balancer", () => {
  expect(read("haproxy.cfg")).toMatch(/^ {2}bind :5432$/m);
});

test("dumps pass the pooler by, which would lend their empty search path to the service", () => {
  const guide = (name: string) => readFileSync(`docs/guides/${name}.md`, "utf8");
  const dumps = guide("self-hosting").match(/^pg_dump .*$/gm) ?? [];
  expect(dumps.length).toBeGreaterThan(0);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own braces.
  for (const dump of dumps) expect(dump).toContain('"${DATABASE_DIRECT_URL:-$DATABASE_URL}"');
  expect(guide("high-availability")).toContain("(self-hosting.md#backups)");
});

test.skipIf(!CHECKERS.haproxy)(
  needing("HAProxy accepts its file", CHECKERS.haproxy, "no haproxy"),
  async () => {
    await run(CHECKERS.haproxy ?? "", ["-c", "-f", join(FOLDER, "haproxy.cfg")]);
  },
);

test.each(["Containerfile", "metacode.service"])(
  "%s creates no sample workspace, whose password is in the log",
  (file) => {
    expect(read(file)).toMatch(/^(?:ENV|Environment=).*\bSAMPLE_WORKSPACE=never\b/m);
  },
);

test("the unit's process gains no rights, writes only its own folder, and gets no devices and no namespaces", () => {
  const lines = read("metacode.service").split("\n");
  const confined = [
    "NoNewPrivileges=yes",
    "ProtectSystem=strict",
    "PrivateDevices=yes",
    "RestrictNamespaces=yes",
  ];
  expect(lines).toEqual(expect.arrayContaining(["DynamicUser=yes", ...confined]));
  // For a repeated setting, systemd uses the last line.
  for (const line of confined)
    expect(lines.filter((other) => other.startsWith(line.replace(/=.*/, "=")))).toEqual([line]);
});

test.skipIf(!CHECKERS.systemd)(
  needing("systemd accepts the unit", CHECKERS.systemd, "no systemd-analyze"),
  async () => {
    const unit = join(FOLDER, "metacode.service");
    const { stderr } = await run(CHECKERS.systemd ?? "", ["verify", "--man=no", unit]);
    expect(stderr).not.toContain("metacode.service:");
  },
);

test.skipIf(!CHECKERS.prometheus)(
  needing("Prometheus accepts the alert rules", CHECKERS.prometheus, "no promtool"),
  async () => {
    await run(CHECKERS.prometheus ?? "", ["check", "rules", join(FOLDER, "monitoring/alerts.yml")]);
  },
);

test.skipIf(process.platform !== "linux")(
  needing(
    "the upgrade of a release (by GNU's ln) replaces the link, and does not put one into a folder that stands in its place",
    process.platform === "linux",
    "no Linux",
  ),
  async () => {
    const place = await temporaryFolder();
    const link = join(place, "metacode");
    const [, line = ""] = /^(ln .*)$/m.exec(readFileSync("docs/guides/upgrading.md", "utf8")) ?? [];
    const upgrade = () =>
      run("sh", ["-c", line.replace("/opt/", `${place}/`)], { env: { ...process.env, LC_ALL: "C" } });
    await symlink("metacode-0.1.0-linux-x64", link);
    await upgrade();
    expect(await readlink(link)).toBe("metacode-0.2.0-linux-x64");
    await rm(link);
    await mkdir(link);
    await expect(upgrade()).rejects.toThrow("cannot overwrite directory");
    expect(read("metacode.service")).toContain("/opt/metacode a link to its folder");
  },
);

/** Complaints of Patroni that only concern this machine, because it is not one of the nodes. */
const ANOTHER_MACHINE =
  /Name or service not known|Temporary failure in name resolution|is not reachable|bin_dir .* does not exist|^bootstrap.pg_hba\s+is not defined/;

test.skipIf(!CHECKERS.patroni)(
  needing("Patroni finds nothing wrong with its file but the machine", CHECKERS.patroni, "no patroni"),
  async () => {
    const file = join(process.cwd(), FOLDER, "patroni/patroni.yaml");
    const options = { cwd: await temporaryFolder() };
    const found = await run(CHECKERS.patroni ?? "", ["--validate-config", file], options).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    const lines = `${found.stdout}${found.stderr}`.split("\n").filter((line) => line !== "");
    expect(lines.filter((line) => !ANOTHER_MACHINE.test(line))).toEqual([]);
  },
);
