import { choosePagesAddress, removePagesAddress } from "@/lib/web/server/pages-address";
import { superviseWorkers } from "@/lib/web/server/supervise";

// A supervisor with the web process, number, port and pages process of its arguments; prints `forked`, `ready` and later events.
// Its first process cannot start if its program is `missing`, which Node reports, or its arguments are `too long`, which throws.
const [exec = "", processes = "1", port = "", delay = "0", pages = "", starts = "yes", pulse = "0"] =
  process.argv.slice(2);
const address = await choosePagesAddress();
const { execPath } = process;
const args = [address, starts, pages && "pages"];
if (starts === "missing") process.execPath = `${address}.missing`;
if (starts === "too long") args.push("x".repeat(1 << 20));
const log = (text: string) => {
  process.stdout.write(`${text}\n`);
  if (!text.includes("cannot be started")) return;
  process.execPath = execPath;
  args.length = 3;
};
const { ready, stop } = superviseWorkers({
  web: { exec, args },
  ...(pages && { pages: { exec: pages, args: [address], env: { DATABASE_WAIT_MS: "9000" } } }),
  processes: Number(processes),
  env: { PORT: port, DRAIN_DELAY_MS: delay },
  drainDelay: Number(delay),
  ...(pulse !== "0" && { pulse: Number(pulse) }),
  log,
});
const end = async (code: number) => {
  await stop();
  removePagesAddress(address);
  process.exit(code);
};
process.on("SIGTERM", () => void end(0));
log("forked");
ready.then(
  () => log("ready"),
  (error: Error) => {
    log(error.message);
    void end(1);
  },
);
