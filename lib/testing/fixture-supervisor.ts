import { superviseWorkers } from "@/lib/server/supervise";

// A supervisor with the web process, number and port of its arguments; says `ready` and what else happens.
const [exec = "", processes = "1", port = ""] = process.argv.slice(2);
const log = (text: string) => void process.stdout.write(`${text}\n`);
const { ready, stop } = superviseWorkers({ exec, processes: Number(processes), env: { PORT: port }, log });
process.on("SIGTERM", () => void stop().then(() => process.exit(0)));
ready.then(
  () => log("ready"),
  (error: Error) => {
    log(error.message);
    void stop().then(() => process.exit(1));
  },
);
