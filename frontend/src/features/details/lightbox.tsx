import left from "icon:chevron-left";
import right from "icon:chevron-right";
import cross from "icon:x";
import { useEffect } from "react";
import { closePicture, nextPicture, pictureTitle, previousPicture } from "../../texts/en.json";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icon";

interface LightboxProps {
  pictures: readonly string[];
  shown: number;
  alt: string;
  onShow: (index: number) => void;
  onClose: () => void;
}

/** An enlarged picture; buttons and arrow keys lead to the others. */
export default function Lightbox({ pictures, shown, alt, onShow, onClose }: LightboxProps) {
  const count = pictures.length;
  const several = count > 1;
  useEffect(() => {
    const turn = ({ key }: KeyboardEvent) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (step !== undefined && several) {
        onShow((shown + step + count) % count);
      }
    };
    window.addEventListener("keydown", turn);
    return () => window.removeEventListener("keydown", turn);
  });
  const turnTo = (step: number) => onShow((shown + step + count) % count);
  return (
    <Dialog label={pictureTitle} className="lightbox" onClose={onClose}>
      <img src={pictures[shown]} alt={alt} referrerPolicy="no-referrer" />
      {several && (
        <>
          <Button className="turn" aria-label={previousPicture} onClick={() => turnTo(-1)}>
            <Icon of={left} />
          </Button>
          <Button className="turn" aria-label={nextPicture} onClick={() => turnTo(1)}>
            <Icon of={right} />
          </Button>
          <p aria-live="polite">{`${shown + 1} / ${count}`}</p>
        </>
      )}
      <Button aria-label={closePicture} onClick={onClose}>
        <Icon of={cross} />
      </Button>
    </Dialog>
  );
}
