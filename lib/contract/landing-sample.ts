/** Who invites in the dashboard's preview of the landing page. */
export const SAMPLE_INVITER = "Anna";

/** The metacode there. */
export const SAMPLE_METACODE = "k7m2p9xd";
