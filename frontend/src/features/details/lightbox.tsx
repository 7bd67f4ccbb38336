import cross from "icon:x";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icon";

interface LightboxProps {
  src: string;
  alt: string;
  onClose: () => void;
}

export default function Lightbox({ src, alt, onClose }: LightboxProps) {
  return (
    <Dialog label="Picture" className="lightbox" onClose={onClose}>
      <img src={src} alt={alt} referrerPolicy="no-referrer" />
      <Button aria-label="Close the picture" onClick={onClose}>
        <Icon of={cross} />
      </Button>
    </Dialog>
  );
}
