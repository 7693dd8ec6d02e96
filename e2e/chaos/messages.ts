import { createInterface } from "node:readline";
import { onCleanup } from "@/bench/cleanup";
import { bundleForChild, startChild } from "@/lib/testing/processes/child";
import type { ChaosStage } from "./stage";

/** Emails and alerts that a process of the service's kind has queued: the recipients and titles of committed rows. */
export interface Messages {
  emails: string[];
  alerts: string[];
  /** Throws once the process has ended, because the run would go on without messages. */
  assertRunning(): void;
  stop(): Promise<void>;
}

/** Starts the process that queues them, on the same database and with the same clock as the service. */
export async function startMessages({ env, ctx, channel }: ChaosStage): Promise<Messages> {
  const file = await bundleForChild("e2e/chaos/messages-process.ts");
  const child = startChild(file, [ctx.app.id, channel], {
    // Silent, because the process's output is the list of its messages.
    env: { ...process.env, ...env, LOG_LEVEL: "silent" },
  });
  onCleanup(child.kill);
  child.process.stderr?.pipe(process.stderr);
  const assertRunning = () => {
    const { exitCode, signalCode } = child.process;
    const end = exitCode ?? signalCode;
    if (end !== null) throw new Error(`The process that queues messages ended with ${end}`);
  };
  const messages: Messages = { emails: [], alerts: [], assertRunning, stop: child.kill };
  if (!child.process.stdout) throw new Error("the process of the messages has no output");
  createInterface(child.process.stdout).on("line", (line) => {
    const [kind, name = ""] = line.split(" ");
    messages[kind === "email" ? "emails" : "alerts"].push(name);
  });
  return messages;
}
