export function ContactPage() {
  return <div className="page py-8">Contact</div>;
}
