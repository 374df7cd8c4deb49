export function TrackPage() {
  return <div className="page py-8">Track</div>;
}
