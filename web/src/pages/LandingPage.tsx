export function LandingPage() {
  return <div className="page py-8">Landing</div>;
}
