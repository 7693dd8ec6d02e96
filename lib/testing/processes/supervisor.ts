import { superviseWorkers } from "@/lib/web/server/supervise";

// A supervisor with the web process, number and port of its arguments; prints `ready` and later events.
const [exec = "", processes = "1", port = "", delay = "0"] = process.argv.slice(2);
const log = (text: string) => void process.stdout.write(`${text}\n`);
const { ready, stop } = superviseWorkers({
  exec,
  processes: Number(processes),
  env: { PORT: port, DRAIN_DELAY_MS: delay },
  drainDelay: Number(delay),
  log,
});
process.on("SIGTERM", () => void stop().then(() => process.exit(0)));
ready.then(
  () => log("ready"),
  (error: Error) => {
    log(error.message);
    void stop().then(() => process.exit(1));
  },
);
