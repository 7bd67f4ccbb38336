import { useId, useState } from "react";
import { maxLogoBytes } from "../../lib/constants.json";
import { logoPicture } from "../../lib/device/smaller-picture";
import { ShopMark } from "../../shop/shop";
import { Button } from "../../ui/button";
import { DropArea } from "../../ui/form/drop-area";
import { FileButton } from "../../ui/form/file-button";
import type { Save } from "./save";

interface LogoFieldProps {
  logo: string;
  /** The logo is the owner's. */
  own: boolean;
  save: Save;
}

export function LogoField({ logo, own, save }: LogoFieldProps) {
  const id = useId();
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);

  const set = async (address: string) => {
    setPending(true);
    const refusal = await save({ mark: address });
    setError(refusal?.fields.mark ?? refusal?.text);
    setPending(false);
  };

  const choose = async (file: File | undefined) => {
    setError(undefined);
    if (!file) {
      return;
    }
    const isDrawing = file.type === "image/svg+xml";
    const logo = isDrawing ? file : await logoPicture(file, maxLogoBytes);
    if (!logo) {
      setError("This browser can't read the picture. Save it as PNG, then choose it again.");
    } else if (logo.size > maxLogoBytes) {
      setError("The logo must be at most 256 kB.");
    } else {
      await set(await asAddress(logo));
    }
  };

  return (
    <section id="logo" className="panel">
      <h2>Logo</h2>
      <div className="flex flex-wrap items-center gap-4">
        {own ? (
          <img
            src={logo}
            alt="The logo as it is"
            width={56}
            height={56}
            className="size-14 rounded object-contain"
          />
        ) : (
          <p className="brand rounded bg-band p-2 text-on-band">
            <ShopMark />
          </p>
        )}
        <div className="flex min-w-0 flex-[1_1_12rem] flex-col items-start gap-2">
          <DropArea onDrop={([file]) => void choose(file)}>
            <label htmlFor={id} className="text-sm text-ink-2">
              PNG, JPG or SVG, up to 256 kB. Without a logo, it is the first letter of the name.
            </label>
            <FileButton
              id={id}
              text="Choose a picture"
              accept="image/*"
              disabled={pending}
              onChange={({ target }) => {
                void choose(target.files?.[0]);
                // The same file may be chosen again.
                target.value = "";
              }}
            />
          </DropArea>
        </div>
      </div>
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {own && (
        <Button disabled={pending} onClick={() => void set("")} className="self-start">
          Remove the logo
        </Button>
      )}
    </section>
  );
}

function asAddress(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
