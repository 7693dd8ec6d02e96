import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "playwright/test";
import { findProgram } from "@/lib/cli/step";
import { renderHaproxy, renderPatroni, renderPooler, renderRedis, renderSentinel } from "./render";

const run = promisify(execFile);
/** The package has no types. */
const yaml = createRequire(import.meta.url)("js-yaml") as { load(text: string): unknown };

const deployed = (file: string) => readFileSync(join("deploy", file), "utf8");
const haproxy = await findProgram("haproxy");

const FIRST = { postgres: 15_001, pooler: 15_002, rest: 15_003 };
const SECOND = { postgres: 15_011, pooler: 15_012, rest: 15_013 };

/** An address that another machine would have to answer. */
const ANOTHER_MACHINE = /example\.internal|0\.0\.0\.0|(?:listen_addr|bind) \*|replace-me/;
const settings = (text: string) => text.replace(/^\s*[#;].*$/gm, "");

const renderedHaproxy = () =>
  renderHaproxy(deployed("haproxy.cfg"), {
    front: 15_020,
    database: 15_021,
    instances: [15_030, 15_031],
    nodes: [FIRST, SECOND],
  });

const renderedPatroni = () =>
  renderPatroni(deployed("patroni/patroni.yaml"), {
    name: "postgres-2",
    ports: SECOND,
    etcd: 15_040,
    folder: "/tmp/node",
    programs: "/usr/lib/postgresql/15/bin",
    password: "secret",
  });

test("no file of the drill names another machine", () => {
  const texts = [
    renderedHaproxy(),
    renderedPatroni(),
    renderPooler(deployed("pgbouncer/pgbouncer.ini"), FIRST, "/tmp/users"),
    renderRedis(deployed("redis/redis.conf"), 15_050, 15_051),
    renderSentinel(deployed("redis/sentinel.conf"), 15_052, 15_051),
  ];
  for (const text of texts) expect(settings(text)).not.toMatch(ANOTHER_MACHINE);
});

test("Patroni's node keeps the times and the synchronous standby of deploy/", () => {
  expect(yaml.load(renderedPatroni())).toMatchObject({
    name: "postgres-2",
    restapi: { listen: "127.0.0.1:15013", connect_address: "127.0.0.1:15013" },
    etcd3: { hosts: ["127.0.0.1:15040"] },
    bootstrap: {
      dcs: { ttl: 15, loop_wait: 5, retry_timeout: 5, synchronous_mode: true, failsafe_mode: true },
    },
    postgresql: {
      listen: "127.0.0.1:15011",
      data_dir: "/tmp/node/data",
      parameters: { unix_socket_directories: "/tmp/node" },
      authentication: { superuser: { username: "postgres", password: "secret" } },
    },
  });
});

test("HAProxy accepts its file", async () => {
  test.skip(!haproxy, "haproxy is not installed");
  const file = test.info().outputPath("haproxy.cfg");
  await writeFile(file, renderedHaproxy());
  const { stderr } = await run(haproxy ?? "", ["-c", "-f", file]);
  expect(stderr).not.toContain("WARNING");
});

test("a file of deploy/ that has lost what the drill replaces is refused", () => {
  const text = deployed("redis/redis.conf").replace("port 6379", "port 6380");
  expect(() => renderRedis(text, 15_050)).toThrow("deploy/ no longer contains: port 6379");
});
