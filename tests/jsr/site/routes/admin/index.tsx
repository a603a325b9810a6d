export default function Admin() {
  return <h1>admin</h1>;
}
