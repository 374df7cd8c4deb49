/** A row of the outbox, as live streams and caches need it. */
export interface FeedEvent {
  id: string;
  type: string;
  package_id: string | null;
  tracking_id: string | null;
  owner_id: string | null;
  driver_id: string | null;
  previous_driver_id: string | null;
  incident_number: number | null;
  /** The reporter of the incident. */
  reporter_id: string | null;
  user_id: string | null;
  session_id: string | null;
  import_id: string | null;
}
