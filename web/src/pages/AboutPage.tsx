export function AboutPage() {
  return <div className="page py-8">About</div>;
}
