/** A part of the settings, with an address of its own. */
export interface SettingsSection {
  /** Fragment of its address. */
  id: string;
  title: string;
  /** Words by which it is found, besides its title. */
  words: string;
  /** Fragments that lead to something in it. */
  also?: readonly string[];
}

/** Parts of the settings in the order of their tabs. */
export const SECTIONS = [
  {
    id: "shop",
    title: "Name and contact",
    words: "shop title tagline disclosure email phone telegram whatsapp instagram social links",
  },
  {
    id: "look",
    title: "Logo and colour",
    words: "color theme design brand accent picture favicon icon",
    also: ["logo", "colour"],
  },
  { id: "pages", title: "Pages", words: "privacy policy about terms disclaimer legal footer imprint" },
  { id: "search", title: "Search words", words: "synonyms same words find", also: ["same-words"] },
  {
    id: "mail",
    title: "Mail",
    words: "smtp email gmail zoho brevo ses sender server app password codes test",
  },
  {
    id: "subscribers",
    title: "Subscribers",
    words: "newsletter digest followers addresses price alerts mails hour export",
  },
  { id: "backups", title: "Backups", words: "backup copy download restore save s3 bucket folder" },
  {
    id: "server",
    title: "This device and server",
    words: "own clicks count domain https certificate address running pictures",
    also: ["device", "running"],
  },
] as const satisfies readonly SettingsSection[];

export type SettingsSectionId = (typeof SECTIONS)[number]["id"];

/** Returns the section that a fragment, like `#mail`, leads to. */
export function sectionOf(hash: string): SettingsSectionId {
  const wanted = hash.slice(1);
  const sections: readonly (SettingsSection & { id: SettingsSectionId })[] = SECTIONS;
  return sections.find(({ id, also }) => id === wanted || also?.includes(wanted))?.id ?? SECTIONS[0].id;
}
