export default function NewMember() {
  return <h1>new member</h1>;
}
