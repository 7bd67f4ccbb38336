import { paths } from "../../lib/paths";
import { useShop } from "../../shop/shop";
import { Link } from "../../ui/link";

export function Brand() {
  const { name, mark, letter } = useShop();
  return (
    <Link to={paths.listing} className="brand">
      {letter === undefined ? <img src={mark} alt="" /> : <b aria-hidden>{letter}</b>}
      <span>{name}</span>
    </Link>
  );
}
