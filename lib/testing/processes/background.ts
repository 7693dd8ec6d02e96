import { startQueues } from "@/lib/web/background/rounds";

/** Runs as a separate process in tests: works off every queue and every round until it is killed. */
startQueues();
process.stdout.write("working\n");
