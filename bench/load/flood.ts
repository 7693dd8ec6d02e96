import { connect, type Socket } from "node:net";
import { setPriority } from "node:os";
import { composer } from "@/bench/load/compose";
import type { Template } from "@/bench/load/job";
import { serveJobs } from "@/bench/worker";

/** Requests that disturb others, sent as fast as responses of any status come back. */
export interface FloodJob {
  port: number;
  connections: number;
  /** Requests that a connection sends in one write, before it reads. */
  pipelined: number;
  seconds: number;
  template: Template;
  from: number;
  slugs: string[];
}

/** The responses to a flood. */
export interface FloodResult {
  requests: number;
  /** Responses by status; 0 counts connections that were cut. */
  statuses: Record<string, number>;
}

const STATUS_LINE = /HTTP\/1\.1 (\d{3})/g;

/** A connection from its own address, because a limit per address would end the flood. */
function open(port: number, index: number): Socket {
  return connect({ port, host: "127.0.0.1", localAddress: `127.0.1.${1 + (index % 250)}`, noDelay: true });
}

async function runFlood(job: FloodJob): Promise<FloodResult> {
  const compose = composer(job.template, job.port, job.slugs);
  const result: FloodResult = { requests: 0, statuses: {} };
  const count = (status: string) => {
    result.statuses[status] = (result.statuses[status] ?? 0) + 1;
  };
  const end = performance.now() + job.seconds * 1000;
  const sockets = new Set<Socket>();
  const next = () => compose(job.from + result.requests++);
  const start = (index: number): void => {
    if (performance.now() >= end) return;
    const socket = open(job.port, index).setEncoding("latin1");
    sockets.add(socket);
    let answered = 0;
    const send = () => {
      answered = 0;
      socket.write(Array.from({ length: job.pipelined }, next).join(""), "latin1");
    };
    socket.on("connect", send);
    socket.on("error", () => undefined);
    socket.on("data", (text) => {
      for (const [, status = ""] of String(text).matchAll(STATUS_LINE)) {
        count(status);
        answered += 1;
      }
      if (answered >= job.pipelined && performance.now() < end) send();
    });
    socket.on("close", () => {
      sockets.delete(socket);
      if (performance.now() >= end) return;
      count("0");
      setTimeout(start, 5, index);
    });
  };
  for (let index = 0; index < job.connections; index++) start(index);
  await new Promise((resolve) => setTimeout(resolve, job.seconds * 1000));
  for (const socket of sockets) socket.destroy();
  return result;
}

// A real flood comes from other machines; this process shares the service's cores, so it lowers its priority a little.
setPriority(5);
serveJobs(runFlood);
