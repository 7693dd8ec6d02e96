import { runJob } from "@/bench/load/run";
import { serveJobs } from "@/bench/worker";

serveJobs(runJob);
