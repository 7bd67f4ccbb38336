import { paths } from "../../lib/paths";
import { ShopMark, useShop } from "../../shop/shop";
import { Link } from "../../ui/link";

export function Brand() {
  const { name } = useShop();
  return (
    <Link to={paths.listing} className="brand">
      <ShopMark />
      <span>{name}</span>
    </Link>
  );
}
