import { paths } from "../../lib/paths";
import { useShop } from "../../shop/shop";
import { Link } from "../../ui/link";

export function Brand() {
  const { name, mark } = useShop();
  return (
    <Link to={paths.listing} className="brand">
      <img src={mark} alt="" />
      <span>{name}</span>
    </Link>
  );
}
