"use client";

export { ErrorInSection as default } from "@/components/shell/page-states";
