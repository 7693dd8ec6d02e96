/** The browser that signs in, from the request's headers. */
export interface Browser {
  address: string;
  userAgent: string;
}

/** A session as its user sees it. */
export interface SessionLine extends Browser {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
}
