export function Seller({ name }: { name: string }) {
  return (
    <span className="seller">
      <b aria-hidden>{Array.from(name)[0]?.toUpperCase()}</b>
      {name}
    </span>
  );
}
