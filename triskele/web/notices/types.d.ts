/** What the server says about what people choose, as its OpenAPI document describes it. */

export type NoticeKind = "turn" | "time" | "offer" | "begun" | "ended";
export type NoticeWay = "page" | "push" | "mail" | "hook";

export interface NoticePreferences {
  ways: Record<NoticeKind, NoticeWay[]>;
  quiet: [number, number] | null;
  zone: string;
  digest: NoticeWay[];
  hour: number;
  /** None until somebody has chosen. */
  language: string | null;
}

export interface NoticeSettings {
  preferences: NoticePreferences;
  browsers: { id: string; agent: string; created: number; current: boolean }[];
  hook: { url: string; created: number } | null;
  mail: "none" | "unconfirmed" | "confirmed" | "not-offered";
  push_key: string;
}
