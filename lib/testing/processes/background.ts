import { startQueues } from "@/lib/web/background/queues";
import { startRounds } from "@/lib/web/background/rounds";

/** Runs as a process of its own in tests: works off every queue and every round until it is killed. */
startQueues();
startRounds();
process.stdout.write("working\n");
