"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

/** Runs every check of the page again. */
export function CheckAgain() {
  const router = useRouter();
  const [pending, start] = useTransition();
  const check = () =>
    start(() => {
      router.refresh();
      toast("Checked again");
    });
  return (
    <Button variant="secondary" pending={pending} onClick={check}>
      Check again
    </Button>
  );
}
