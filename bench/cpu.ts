import { readdirSync, readFileSync } from "node:fs";

/** CPU time used so far, in microseconds. */
interface Cpu {
  node: number;
  postgres: number;
}

interface Stat {
  pid: number;
  parent: number;
  name: string;
  ticks: number;
}

/** Linux counts in hundredths of a second. */
const US_PER_TICK = 10_000;

/** A process in /proc, whose CPU time includes that of its ended children. */
function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return { pid, parent: fields[1] ?? 0, name, ticks };
  } catch {
    return undefined;
  }
}

function processes(): Stat[] {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid) => readStat(Number(pid)) ?? []);
  } catch {
    return [];
  }
}

/** CPU time of the processes and their descendants, PostgreSQL separately. Zero without /proc. */
export function cpuOf(roots: number[]): Cpu {
  const all = processes();
  const cpu = { node: 0, postgres: 0 };
  const seen = new Set<number>();
  const visit = (stat: Stat) => {
    if (seen.has(stat.pid)) return;
    seen.add(stat.pid);
    cpu[stat.name === "postgres" ? "postgres" : "node"] += stat.ticks * US_PER_TICK;
    for (const child of all) if (child.parent === stat.pid) visit(child);
  };
  for (const stat of all) if (roots.includes(stat.pid)) visit(stat);
  return cpu;
}

/** The PostgreSQL server among the children of a process, or 0. */
export function postgresBelow(pid: number): number {
  return processes().find(({ parent, name }) => parent === pid && name === "postgres")?.pid ?? 0;
}

/** The parent of a process; for a connection's backend, the server. */
export function parentOf(pid: number): number {
  return readStat(pid)?.parent ?? 0;
}

/** Resident memory of a service's own processes, in megabytes; none without /proc. */
export function residentOf(pid: number): { name: string; mb: number }[] {
  const own = processes().filter((stat) => stat.pid === pid || stat.parent === pid);
  return own.flatMap((stat) => {
    const file = /(worker|pages)\.mjs/.exec(commandOf(stat.pid))?.[1];
    const name = { worker: "web process", pages: "pages process" }[file ?? ""] ?? "supervisor";
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readText(stat.pid, "status"))?.[1];
    return stat.name === "postgres" || !kilobytes ? [] : [{ name, mb: Number(kilobytes) / 1024 }];
  });
}

const commandOf = (pid: number) => readText(pid, "cmdline").replaceAll("\0", " ");

function readText(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
