/** A browser whose bookmark opens the form beside a product's page. */
export function Drawing() {
  return (
    <svg
      viewBox="0 0 400 170"
      className="h-auto w-full max-w-[30rem] stroke-line stroke-[1.5]"
      role="img"
      aria-labelledby="capture-drawing"
    >
      <title id="capture-drawing">
        The bookmark is in the bar above a product's page. Press it there to open the form with title, price
        and picture.
      </title>
      <g>
        <rect x="1" y="1" width="230" height="168" rx="8" className="fill-surface stroke-field" />
        <path d="M1 26h230M1 48h230" />
        <circle cx="14" cy="14" r="3" />
        <circle cx="25" cy="14" r="3" />
        <rect x="40" y="8" width="178" height="12" rx="6" />
        <rect x="14" y="62" width="78" height="78" rx="6" className="fill-raised" />
        <path d="M34 126l16-22 12 14 8-10 12 18z" className="stroke-field" />
        <path d="M106 70h108M106 84h78" className="stroke-4 stroke-field" />
        <path d="M106 110h52" className="stroke-ink-2 stroke-[6]" />
        <path d="M106 130h84" className="stroke-4 stroke-field" />
      </g>
      <rect x="12" y="31" width="76" height="13" rx="6.5" className="fill-fill stroke-none" />
      <path d="M24 37.5h52" className="stroke-4 stroke-on-fill" />
      <path d="M92 38c70-8 110 10 152 34m0 0l-11-1m11 1l-6-10" className="stroke-[2.5] stroke-accent" />
      <g>
        <rect x="252" y="36" width="147" height="133" rx="8" className="fill-surface stroke-field" />
        <path d="M266 56h60" className="stroke-ink-2 stroke-[6]" />
        <rect x="266" y="68" width="119" height="16" rx="4" />
        <rect x="266" y="92" width="54" height="16" rx="4" />
        <rect x="331" y="92" width="54" height="16" rx="4" />
        <path d="M274 76h84M274 100h26M339 100h26" className="stroke-4 stroke-field" />
      </g>
      <rect x="266" y="124" width="119" height="22" rx="5" className="fill-fill stroke-none" />
      <path d="M300 135h51" className="stroke-4 stroke-on-fill" />
    </svg>
  );
}
