import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

interface Process {
  pid: number;
  parent: number;
  command: string;
}

function fromProc(pid: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return [{ pid: Number(pid), parent: Number(fields[1]), command }];
  } catch {
    return [];
  }
}

function fromPs(): Process[] {
  const lines = execFileSync("ps", ["-axo", "pid=,ppid=,command="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid ? [{ pid: Number(pid), parent: Number(parent), command }] : [];
  });
}

function listProcesses(): Process[] {
  if (process.platform !== "linux") return fromPs();
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(fromProc);
}

/** The descendants of a process. */
export function descendants(root: number): Process[] {
  const all = listProcesses();
  const found: Process[] = [];
  for (let level = [root]; level.length > 0; ) {
    const next = all.filter(({ parent }) => level.includes(parent));
    found.push(...next);
    level = next.map(({ pid }) => pid);
  }
  return found;
}

/** The processes of `before` that still run. */
export function survivors(before: Process[]): Process[] {
  const now = new Map(listProcesses().map((running) => [running.pid, running]));
  return before.filter(({ pid }) => now.has(pid));
}

/** The first of the processes that has the local end of a TCP connection; undefined without /proc. */
export function holderOfPort(port: number, pids: readonly number[]): number | undefined {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const inodes = ["tcp", "tcp6"].flatMap((table) => {
    const lines = readOrEmpty(`/proc/net/${table}`)
      .split("\n")
      .map((line) => line.trim().split(/\s+/));
    return lines.filter(([, address]) => address?.endsWith(local)).map((fields) => `socket:[${fields[9]}]`);
  });
  return pids.find((pid) => openFiles(pid).some((file) => inodes.includes(file)));
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).map((name) => {
      try {
        return readlinkSync(`${folder}/${name}`);
      } catch {
        return "";
      }
    });
  } catch {
    return [];
  }
}
