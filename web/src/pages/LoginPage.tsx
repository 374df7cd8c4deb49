export function LoginPage() {
  return <div className="page py-8">Login</div>;
}
