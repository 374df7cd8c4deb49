export function RegisterPage() {
  return <div className="page py-8">Register</div>;
}
